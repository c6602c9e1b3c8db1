import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPendingTask } from '../../core/intents/newTask.ts';
import { MAX_TEXT } from '../../core/limits.ts';
import type { Task } from '../../core/story/story.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { withoutLinks } from '../../host/shell/plainText.ts';
import { offerUndo } from '../../host/story/offerUndo.ts';
import { doReversibly } from '../../host/story/reversibleEntry.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { tellWaiting } from '../../host/story/submitIntents.ts';
import { DetailNode, type FoundStory } from '../../host/tree/nodes.ts';
import { applyEdits, type WorkNeeds } from './applyEdits.ts';
import { TaskExistence } from './taskExistence.ts';

/** Adds the task `description`, else the one that is typed. */
export async function addTask(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Add a task to which story?'));
  if (!found) return;
  const title = vscode.l10n.t('New Task of Story #{0}', found.story.id);
  const description = wantedDescription(args) ?? (await askDescription(found, title));
  if (description !== undefined) await addTaskTo(needs, found, description);
}

/** Adds a task, which the one undo takes back. @throws TrackerError in the server's words when it refuses. */
export async function addTaskTo(
  needs: Pick<WorkNeeds, 'backlogs' | 'messages' | 'restoredStories' | 'undoHistory'>,
  { key, story }: FoundStory,
  description: string,
): Promise<void> {
  const { add, remove } = new TaskExistence(needs, key, story.id);
  const about = { key, storyIds: [story.id] };
  const added = await doReversibly(needs.undoHistory, about, add({ description }), { undo: remove, redo: add });
  if (added?.waiting) tellWaiting(needs, key, added);
  else needs.messages.status(vscode.l10n.t('Added a task to story #{0}.', story.id));
}

/**
 * Changes the task `taskId`, or that of a row, to `description`, else to what is typed. `known` is the text that the caller saw,
 * where it is not the one shown now. @throws TrackerError `conflict` when someone else has changed it since.
 */
export async function editTask(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await taskIn(needs, args);
  if (!found) return;
  const { key, story, task } = found;
  const title = vscode.l10n.t('Task of Story #{0}', story.id);
  const description = wantedDescription(args) ?? (await askDescription(found, title, task.description));
  const { known = task.description } = programArguments(args);
  if (description === undefined || typeof known !== 'string' || description === known) return;
  const what = { storyId: story.id, taskId: task.id, description, known };
  const done = vscode.l10n.t('Changed a task of story #{0}.', story.id);
  await applyEdits(needs, key, [{ story, intent: { kind: 'editTask', ...what } }], done);
}

/** Moves the task `taskId`, or that of a row, to the 1-based `position` in its story's list. */
export async function moveTask(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await taskIn(needs, args);
  if (!found) return;
  const { key, story, task } = found;
  const { position } = programArguments(args);
  if (typeof position !== 'number' || !Number.isSafeInteger(position) || position < 1) {
    throw new TrackerError('input', vscode.l10n.t('Pass the position as { position: number }, from 1.'));
  }
  if (story.tasks[position - 1]?.id === task.id) return;
  const intent = { kind: 'moveTask', storyId: story.id, taskId: task.id, position } as const;
  await applyEdits(needs, key, [{ story, intent }], vscode.l10n.t('Moved a task of story #{0}.', story.id));
}

/** Deletes the task `taskId`, or that of a row. Taken back, it stands where it stood. */
export async function deleteTask(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await taskIn(needs, args);
  if (!found) return;
  const { key, story, task } = found;
  const { add, remove } = new TaskExistence(needs, key, story.id);
  const there = { taskId: task.id, description: task.description };
  const about = { key, storyIds: [story.id] };
  const gone = await doReversibly(needs.undoHistory, about, remove(there), { undo: add, redo: remove });
  if (gone?.waiting) tellWaiting(needs, key, gone);
  else offerUndo(vscode.l10n.t('Deleted a task of story #{0}.', story.id));
}

interface FoundTask extends FoundStory {
  readonly task: Task;
}

/** @throws TrackerError `input` where no task is named, or no server has it yet; `notFound` where the story has none of that id. */
export async function taskIn({ storyArgument, storiesView }: WorkNeeds, args: readonly unknown[]) {
  const [row = storiesView.selection()[0]] = args;
  const taskId = row instanceof DetailNode && row.kind === 'task' ? row.id : programArguments(args).taskId;
  if (typeof taskId !== 'number') {
    throw new TrackerError('input', vscode.l10n.t('Pass the task as { storyId: number, taskId: number }.'));
  }
  const found = await storyArgument.ofSelection(row, vscode.l10n.t('Edit a task of which story?'));
  if (!found) return undefined;
  const task = found.story.tasks.find(({ id }) => id === taskId);
  if (!task) {
    const text = vscode.l10n.t('Story #{0} has no task {1}.', found.story.id, taskId);
    throw new TrackerError('notFound', text);
  }
  if (!isPendingTask(task)) return { ...found, task } satisfies FoundTask;
  throw new TrackerError('input', vscode.l10n.t('Choose a task that has been sent to the server.'));
}

/** @throws TrackerError `input` where a program passes anything else. */
function wantedDescription(args: readonly unknown[]): string | undefined {
  const { description } = programArguments(args);
  if (description === undefined) return undefined;
  if (typeof description === 'string' && description.trim() !== '' && description.length <= MAX_TEXT)
    return description;
  throw new TrackerError('input', vscode.l10n.t('Pass the task as { description: string }.'));
}

function askDescription({ story }: FoundStory, title: string, value = ''): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: withoutLinks(storyLabel(story)),
    value,
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Enter a task description.') : undefined),
  });
}
