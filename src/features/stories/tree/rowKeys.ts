import * as vscode from 'vscode';
import { commandIds } from '../../../commandIds.ts';
import { isPendingTask } from '../../../core/intents/newTask.ts';
import type { App } from '../../../host/app.ts';
import { DetailNode, SavedFilterNode, StoryNode } from '../../../host/tree/nodes.ts';
import { detailOf, noteLook } from './rowFacts.ts';

// What keys do to the row that has the focus, which VS Code passes to them (package.json, `$focusedTreeItem`).

/**
 * Enter, after VS Code has done with the row what it does with every one: opens the story in a tab of its own, or the attachment.
 * A comment that has something to open is open by then.
 */
export async function openRow(row: unknown): Promise<void> {
  if (row instanceof StoryNode) await run(commandIds.openStory, row);
  else if (row instanceof DetailNode && row.kind === 'attachment') await run(commandIds.openAttachment, row);
  else if (row instanceof DetailNode && !hasCommand(row)) await run(commandIds.openStory, row.parent);
}

function hasCommand(row: DetailNode): boolean {
  const detail = detailOf(row);
  if (detail?.kind !== 'note') return false;
  const { commit, link } = noteLook(detail.note);
  return link !== undefined || commit?.entryId !== undefined;
}

/** Space, after VS Code has done with the row what it does with every one: ticks a task, or unticks it. */
export async function tickRow(row: unknown): Promise<void> {
  const detail = row instanceof DetailNode ? detailOf(row) : undefined;
  if (detail?.kind !== 'task' || isPendingTask(detail.task)) return;
  await run(detail.task.complete ? commandIds.reopenTask : commandIds.completeTask, row);
}

/** F2: renames a story or a saved filter. */
export async function renameRow(row: unknown): Promise<void> {
  if (row instanceof StoryNode) await run(commandIds.renameStory, row);
  else if (row instanceof SavedFilterNode) await run(commandIds.renameFilter, row);
}

/** Delete: asks and deletes the story, with all that are selected with it, or the task; a saved filter is removed. */
export async function deleteRow({ storiesView }: Pick<App, 'storiesView'>, row: unknown): Promise<void> {
  const selected = storiesView.selection();
  if (row instanceof StoryNode) await run(commandIds.deleteStory, row, selected.includes(row) ? selected : [row]);
  else if (row instanceof DetailNode && row.kind === 'task') await run(commandIds.deleteTask, row);
  else if (row instanceof SavedFilterNode) await run(commandIds.removeFilter, row);
}

async function run(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}
