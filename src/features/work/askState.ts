import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Story } from '../../core/story.ts';
import { isEstimatable, nextActions, type WorkflowRules } from '../../core/workflow.ts';

/** The state that a person picks among the sensible next ones. @throws TrackerError `input` when there is none. */
export async function askState(story: Story, project: WorkflowRules): Promise<string | undefined> {
  const estimate = Math.max(0, story.estimate ?? 0);
  const estimated = isEstimatable(story.type, project) ? { ...story, estimate } : story;
  const names = {
    start: vscode.l10n.t('Start'),
    finish: vscode.l10n.t('Finish'),
    deliver: vscode.l10n.t('Deliver'),
    accept: vscode.l10n.t('Accept'),
    reject: vscode.l10n.t('Reject'),
    restart: vscode.l10n.t('Restart'),
  };
  const items = nextActions(estimated, project).map(({ action, state }) => ({
    label: names[action],
    description: state,
    state,
  }));
  if (items.length === 0) {
    throw new TrackerError('input', vscode.l10n.t('Story #{0} has no next state that we know.', story.id));
  }
  return (await vscode.window.showQuickPick(items, { placeHolder: vscode.l10n.t('Story #{0}', story.id) }))?.state;
}
