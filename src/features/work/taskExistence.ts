import * as vscode from 'vscode';
import { findStory } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingTask } from '../../core/intents/newTask.ts';
import type { Submission } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Task } from '../../core/story/story.ts';
import { haveSameWords } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { withdrawUndoOffer } from '../../host/story/offerUndo.ts';
import type { Deed } from '../../host/story/reversibleEntry.ts';
import type { UndoWay } from '../../host/story/undoHistory.ts';

type Waiting = Pick<Submission, 'entryIds'> & Partial<Pick<Submission, 'waiting'>>;

/** A task that is there, and how it waits to be so. Without an id it is the last of its description. */
type ThereTask = { readonly taskId?: number; readonly description: string } & Partial<Waiting>;

/** A task that is not there, what it was, which number it had, and how its deletion waits. `position` is 1-based. */
type GoneTask = {
  readonly taskId?: number;
  readonly description: string;
  readonly complete?: boolean;
  readonly position?: number;
} & Partial<Waiting>;

type Needs = Pick<App, 'backlogs' | 'messages' | 'restoredStories'>;

/** Adds a task to a story, and deletes it: each other's undo. */
export class TaskExistence {
  private readonly needs: Needs;
  private readonly key: ProjectKey;
  private readonly formerId: number;

  constructor(needs: Needs, key: ProjectKey, storyId: number) {
    this.needs = needs;
    this.key = key;
    this.formerId = storyId;
  }

  /** It may have been deleted since, and made again. */
  private get storyId(): number {
    return this.needs.restoredStories.numberNow(this.key, this.formerId);
  }

  /** At its end, or where it stood before it was deleted. */
  readonly add = async (gone: GoneTask, way?: UndoWay): Promise<Deed<GoneTask, ThereTask>> => {
    const { backlogs } = this.needs;
    const { key, storyId } = this;
    const { description, complete = false, position } = gone;
    if (await this.isWithdrawn(gone)) {
      this.tell(way, vscode.l10n.t('Restored a task of story #{0}.', storyId));
      const taskId = (await this.tasks()).findLast((task) => haveSameWords(task.description, description))?.id;
      return { done: { description, ...(taskId !== undefined && { taskId }) } };
    }
    const before = (await this.tasks()).map(({ id }) => id);
    const what = [{ kind: 'newTask', storyId, description }] as const;
    const { entryIds, refused, waiting, created } = await backlogs.submit(key, what);
    if (refused) throw refused;
    if (waiting) return { done: { description, entryIds, waiting } };
    // Another window that sent it tells no number; and others may have added tasks in the meantime.
    const isNew = (task: Task) =>
      !before.includes(task.id) && !isPendingTask(task) && haveSameWords(task.description, description);
    const taskId = created?.[0] ?? (await this.tasks()).findLast(isNew)?.id;
    if (taskId !== undefined) {
      if (gone.taskId !== undefined) this.needs.restoredStories.addRestoredTask(key, gone.taskId, taskId);
      const isLast = position === undefined || position > before.length;
      await backlogs.submit(key, [
        ...(isLast ? [] : [{ kind: 'moveTask', storyId, taskId, position } as const]),
        ...(complete ? [{ kind: 'task', storyId, taskId, complete } as const] : []),
      ]);
    }
    this.tell(way, vscode.l10n.t('Restored a task of story #{0}.', storyId));
    return { done: { description, ...(taskId !== undefined && { taskId }) } };
  };

  readonly remove = async (there: ThereTask, way?: UndoWay): Promise<Deed<ThereTask, GoneTask>> => {
    const { backlogs } = this.needs;
    const { key, storyId } = this;
    const { description } = there;
    const done = vscode.l10n.t('Deleted a task of story #{0}.', storyId);
    if (await this.isWithdrawn(there)) {
      this.tell(way, done);
      return { done: { description } };
    }
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

  /** As they are shown; of a story that is in no list that was read, as the server has them. */
  private async tasks(): Promise<readonly Task[]> {
    const { backlogs } = this.needs;
    const backlog = backlogs.peek(this.key);
    const shown = backlog && findStory(backlog, this.storyId);
    return (shown ?? (await backlogs.refreshStory(this.key, this.storyId))).tasks;
  }

  /** Whether it never went out, since it waited until now. */
  private async isWithdrawn({ waiting, entryIds }: Partial<Waiting>): Promise<boolean> {
    return waiting !== undefined && entryIds !== undefined && this.needs.backlogs.withdraw(entryIds);
  }

  private tell(way: UndoWay | undefined, text: string): void {
    if (!way) return;
    withdrawUndoOffer();
    this.needs.messages.status(text);
  }
}
