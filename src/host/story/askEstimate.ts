import * as vscode from 'vscode';
import type { Project } from '../../core/story/project.ts';
import type { Story } from '../../core/story/story.ts';

/** Points by the project's scale; `undefined` when the person turned away. */
export async function askEstimate(story: Story, project: Pick<Project, 'pointScale'>): Promise<number | undefined> {
  const items = project.pointScale.map((points) => ({
    label: points === 1 ? vscode.l10n.t('1 point') : vscode.l10n.t('{0} points', points),
    points,
  }));
  const placeHolder = vscode.l10n.t('Story #{0} needs an estimate first.', story.id);
  return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.points;
}
