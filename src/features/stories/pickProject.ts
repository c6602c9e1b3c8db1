import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { ProjectEntry } from '../../host/backlogs.ts';
import { withoutIcons } from '../../host/plainText.ts';

/** The only project, or the one picked. `undefined` when the person turned away. */
export async function pickProject(
  entries: readonly ProjectEntry[],
  placeHolder: string,
): Promise<ProjectEntry | undefined> {
  if (entries.length === 0) {
    throw new TrackerError('notFound', vscode.l10n.t('You have no project yet. Run "Story Tracker: New Project…".'));
  }
  if (entries.length === 1) return entries[0];
  const items = entries.map((entry) => ({
    label: withoutIcons(entry.project.name),
    description: withoutIcons(entry.account.label),
    entry,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.entry;
}
