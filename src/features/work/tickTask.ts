import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPendingTask } from '../../core/intents/withIntent.ts';
import { DetailNode } from '../../host/tree/nodes.ts';
import { applyEdits } from './applyEdits.ts';
import type { WorkNeeds } from './workNeeds.ts';

/** Completes the task of a row, or says that it is still to be done. */
export async function tickTask(needs: WorkNeeds, row: unknown, complete: boolean): Promise<void> {
  const task = row instanceof DetailNode ? row.parent.story.tasks.find(({ id }) => id === row.id) : undefined;
  if (!(row instanceof DetailNode) || !task || isPendingTask(task)) {
    throw new TrackerError('input', vscode.l10n.t('Choose a task that the server has.'));
  }
  const { key, story } = row.parent;
  const intent = { kind: 'task', storyId: story.id, taskId: task.id, complete } as const;
  const done = complete
    ? vscode.l10n.t('Task of story #{0} completed.', story.id)
    : vscode.l10n.t('Task of story #{0} reopened.', story.id);
  await applyEdits(needs, key, [{ story, intent }], done);
}
