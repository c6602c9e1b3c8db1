import * as vscode from 'vscode';
import { findStory } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { isPendingTask } from '../../core/intents/newTask.ts';
import { MAX_TEXT } from '../../core/limits.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Task } from '../../core/story/story.ts';
import { haveSameWords } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { withoutLinks } from '../../host/shell/plainText.ts';
import { inBackground } from '../../host/shell/turnBudget.ts';
import type { GoneTask, ThereTask } from '../../host/story/entryValues.ts';
import { offerUndo, unmadeError, withdrawUndoOffer } from '../../host/story/offerUndo.ts';
import { type Deed, doReversibly, reversibleAgain, type Step } from '../../host/story/reversibleEntry.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { tellWaiting, waitingText } from '../../host/story/submitIntents.ts';
import type { EntryMakers, UndoWay } from '../../host/story/undoHistory.ts';
import { unsentStoryText } from '../../host/story/unsentStoryText.ts';
import { DetailNode, type FoundStory } from '../../host/tree/nodes.ts';
import { selectNeighborTask } from '../../host/tree/selectedRow.ts';
import { applyEdits, type WorkNeeds } from './applyEdits.ts';

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
  needs: Pick<WorkNeeds, 'backlogs' | 'log' | 'messages' | 'restoredStories' | 'undoHistory'>,
  { key, story }: FoundStory,
  description: string,
): Promise<void> {
  const { add, adding, removing } = new TaskExistence(needs, key, story.id);
  const about = { key, storyIds: [story.id] };
  const added = await doReversibly(needs.undoHistory, about, add({ description }), { undo: removing, redo: adding });
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

/** Completes the task of a row or that `taskId` names beside a story, or says that it is still to be done. */
export async function tickTask(needs: WorkNeeds, args: readonly unknown[], complete: boolean): Promise<void> {
  const found = await taskIn(needs, args);
  if (!found) return;
  const { key, story, task } = found;
  const intent = { kind: 'task', storyId: story.id, taskId: task.id, complete } as const;
  const done = complete
    ? vscode.l10n.t('Completed a task of story #{0}.', story.id)
    : vscode.l10n.t('Reopened a task of story #{0}.', story.id);
  await applyEdits(needs, key, [{ story, intent }], done);
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
  const { remove, adding, removing } = new TaskExistence(needs, key, story.id);
  const there = { taskId: task.id, description: task.description };
  const about = { key, storyIds: [story.id] };
  const [row, , byKey] = args;
  const neighbor = row instanceof DetailNode ? await selectNeighborTask(needs, row, byKey) : undefined;
  const deed = doReversibly(needs.undoHistory, about, remove(there), { undo: adding, redo: removing });
  const gone = await deed.catch(async (thrown: unknown) => {
    await neighbor?.selectAgain();
    throw thrown;
  });
  await neighbor?.selectNext();
  if (gone?.waiting) tellWaiting(needs, key, gone);
  else offerUndo(vscode.l10n.t('Deleted a task of story #{0}.', story.id));
}

interface FoundTask extends FoundStory {
  readonly task: Task;
}

/** @throws TrackerError `input` where no task is named, or no server has it yet; `notFound` where the story has none of that id. */
async function taskIn({ storyArgument, storiesView }: WorkNeeds, args: readonly unknown[]) {
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

/** Makes tasks that were added or deleted in an earlier window entries again. */
export function taskMakers(needs: ExistenceNeeds): Pick<EntryMakers, 'goneTask' | 'thereTask'> {
  return {
    thereTask: async (about, { storyId, task }) => {
      const { adding, removing } = new TaskExistence(needs, about.key, storyId);
      return reversibleAgain(about, task, removing, adding);
    },
    goneTask: async (about, { storyId, task }) => {
      const { adding, removing } = new TaskExistence(needs, about.key, storyId);
      return reversibleAgain(about, task, adding, removing);
    },
  };
}

type Waiting = Pick<ThereTask, 'entryIds' | 'waiting'>;

type ExistenceNeeds = Pick<App, 'backlogs' | 'log' | 'messages' | 'restoredStories'>;

/** Adds a task to a story, and deletes it: each other's undo. */
class TaskExistence {
  private readonly needs: ExistenceNeeds;
  private readonly key: ProjectKey;
  private readonly formerId: number;

  constructor(needs: ExistenceNeeds, key: ProjectKey, storyId: number) {
    this.needs = needs;
    this.key = key;
    this.formerId = storyId;
  }

  /** It may have been deleted since, and made again. @throws TrackerError `input` while that waits for its server. */
  private get storyId(): number {
    const id = this.needs.restoredStories.numberOrPending(this.key, this.formerId);
    if (isPendingStory({ id })) throw new TrackerError('input', unsentStoryText(vscode));
    return id;
  }

  /** At its end, or where it stood before it was deleted. */
  readonly add = async (gone: GoneTask, way?: UndoWay): Promise<Deed<GoneTask, ThereTask>> => {
    const { backlogs, log } = this.needs;
    const { key, storyId } = this;
    const { description, complete = false, position } = gone;
    if (await this.isWithdrawn(gone)) {
      this.tell(way, vscode.l10n.t('Restored a task of story #{0}.', storyId));
      const taskId = (await this.tasks()).findLast((task) => haveSameWords(task.description, description))?.id;
      return { done: { description, ...(taskId !== undefined && { taskId }) } };
    }
    if (await this.isUnmade(gone)) return { problem: unmadeError([storyId]) };
    const before = (await this.tasks()).map(({ id }) => id);
    const isLast = position === undefined || position > before.length;
    const what = { description, ...(complete && { complete }), ...(!isLast && { position }) };
    const submission = await backlogs.submit(key, [{ kind: 'newTask', storyId, ...what }]);
    const { entryIds, refused, waiting, created } = submission;
    if (refused) throw refused;
    if (waiting) {
      this.tell(way, waitingText(waiting, backlogs.signInOf(key)));
      inBackground(log, this.followNumber(gone, entryIds, before));
      return { done: { description, entryIds, waiting } };
    }
    const taskId = this.noteNumber(gone, created?.[0] ?? addedTask(await this.tasks(), description, before));
    this.tell(way, vscode.l10n.t('Restored a task of story #{0}.', storyId));
    return { done: { description, ...(taskId !== undefined && { taskId }) } };
  };

  /** Of a task that waits for its server: what was done to it before it was deleted can be taken back once it has a number. */
  private async followNumber(
    gone: GoneTask,
    [entryId = '']: readonly string[],
    before: readonly number[],
  ): Promise<void> {
    if (gone.taskId === undefined) return;
    const { backlogs } = this.needs;
    const outcome = await backlogs.whenGone(entryId);
    if (outcome.kind !== 'sent') return;
    const tasks = async () => (await backlogs.refreshStory(this.key, this.storyId)).tasks;
    this.noteNumber(gone, outcome.created ?? addedTask(await tasks(), gone.description, before));
  }

  private noteNumber(gone: GoneTask, taskId: number | undefined): number | undefined {
    if (gone.taskId !== undefined && taskId !== undefined)
      this.needs.restoredStories.addRestoredTask(this.key, gone.taskId, taskId);
    return taskId;
  }

  readonly remove = async (there: ThereTask, way?: UndoWay): Promise<Deed<ThereTask, GoneTask>> => {
    const { backlogs } = this.needs;
    const { key, storyId } = this;
    const { description } = there;
    const done = vscode.l10n.t('Deleted a task of story #{0}.', storyId);
    if (await this.isWithdrawn(there)) {
      this.tell(way, done);
      return { done: { description } };
    }
    if (await this.isUnmade(there)) return { problem: unmadeError([storyId]) };
    const tasks = await this.tasks();
    const taskId = there.taskId && this.needs.restoredStories.taskNow(key, there.taskId);
    const task = tasks.findLast(
      ({ id, description: text }) => (taskId ?? id) === id && haveSameWords(text, description),
    );
    if (!task || isPendingTask(task)) {
      throw new TrackerError('conflict', vscode.l10n.t('This task of story #{0} has been changed since.', storyId));
    }
    const position = tasks.indexOf(task) + 1;
    const what = [{ kind: 'deleteTask', storyId, taskId: task.id }] as const;
    const { entryIds, refused, waiting } = await backlogs.submit(key, what);
    if (refused) throw refused;
    this.tell(way, done);
    const gone = { taskId: task.id, description, complete: task.complete, position };
    return { done: waiting ? { ...gone, entryIds, waiting } : gone };
  };

  readonly adding: Step<GoneTask, ThereTask> = {
    go: this.add,
    toValue: (task) => ({ kind: 'goneTask', value: { storyId: this.formerId, task } }),
  };

  readonly removing: Step<ThereTask, GoneTask> = {
    go: this.remove,
    toValue: (task) => ({ kind: 'thereTask', value: { storyId: this.formerId, task } }),
  };

  /** As they are shown; of a story that is in no list that was read, as the server has them. */
  private async tasks(): Promise<readonly Task[]> {
    const { backlogs } = this.needs;
    const backlog = backlogs.peek(this.key);
    const shown = backlog && findStory(backlog, this.storyId);
    return (shown ?? (await backlogs.refreshStory(this.key, this.storyId))).tasks;
  }

  /** Whether it never went out, since it waited until now. */
  private async isWithdrawn({ waiting, entryIds }: Waiting): Promise<boolean> {
    return waiting !== undefined && entryIds !== undefined && this.needs.backlogs.withdraw(entryIds);
  }

  /** Whether what waited was refused or discarded, so that there is nothing to make up for. */
  private async isUnmade({ waiting, entryIds }: Waiting): Promise<boolean> {
    return waiting !== undefined && entryIds !== undefined && this.needs.backlogs.areUnmade(entryIds);
  }

  private tell(way: UndoWay | undefined, text: string): void {
    if (!way) return;
    withdrawUndoOffer();
    this.needs.messages.status(text);
  }
}

/** The one of these words that was not there before: another window that sent it tells no number, and others may have added tasks too. */
function addedTask(tasks: readonly Task[], description: string, before: readonly number[]): number | undefined {
  const isNew = (task: Task) =>
    !before.includes(task.id) && !isPendingTask(task) && haveSameWords(task.description, description);
  return tasks.findLast(isNew)?.id;
}
