import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import { Emitter } from '../shell/emitter.ts';

/** A story that was made again and waits for its server: what it takes to find out the number that it gets. */
export interface AwaitedStory {
  readonly key: ProjectKey;
  /** Negative, what it is called until then. */
  readonly storyId: number;
  readonly formerId: number;
  readonly name: string;
  readonly description: string;
  readonly entryId: string;
  /** The tasks that it had. */
  readonly taskIds: readonly number[];
}

/** Which stories and tasks were made again in this window in place of those that it had deleted: their numbers are others. */
export class RestoredStories {
  /** By what the story or task was called. */
  readonly numbers = new Map<string, number>();
  readonly removed = new Set<string>();
  /** Those that have no number yet. */
  readonly awaited = new Set<AwaitedStory>();
  private readonly changed = new Emitter<ProjectKey>();

  /** The project in which a story was made again, or one such was deleted. */
  readonly onDidChange = this.changed.event;

  /** The number under which a deleted story is there now, however often it was deleted and made again; `undefined` where it is not. */
  numberOf(key: ProjectKey, storyId: number): number | undefined {
    const next = this.numbers.get(nameOf(key, storyId));
    if (next === undefined) return undefined;
    // Where it was deleted in another project, to which it had been moved, only that it has a later number tells.
    if (this.numbers.has(nameOf(key, next))) return this.numberOf(key, next);
    return this.isRemoved(key, next) ? undefined : next;
  }

  /** The number that a story has now: another one where it was made again and its server has it already. */
  numberNow(key: ProjectKey, storyId: number): number {
    const restored = this.numberOf(key, storyId) ?? storyId;
    return restored > 0 ? restored : storyId;
  }

  /** As `numberNow`, but negative for one that was made again and waits for its server. */
  numberOrPending(key: ProjectKey, storyId: number): number {
    return this.numberOf(key, storyId) ?? storyId;
  }

  /** The number that a task has now: another one where it was deleted and made again, or its story was. */
  taskNow(key: ProjectKey, taskId: number): number {
    const next = this.numbers.get(taskNameOf(key, taskId));
    return next === undefined ? taskId : this.taskNow(key, next);
  }

  /** Whether it was deleted in this window. */
  isRemoved(key: ProjectKey, storyId: number): boolean {
    return this.removed.has(nameOf(key, storyId));
  }

  /** Its deletion was taken back before any server heard of it. */
  addKept(key: ProjectKey, storyId: number): void {
    this.removed.delete(nameOf(key, storyId));
    this.changed.fire(key);
  }

  addRestored(key: ProjectKey, storyId: number, restoredId: number): void {
    this.numbers.set(nameOf(key, storyId), restoredId);
    // Some servers give the numbers of deleted stories again.
    this.numbers.delete(nameOf(key, restoredId));
    this.removed.delete(nameOf(key, restoredId));
    this.changed.fire(key);
  }

  addRestoredTask(key: ProjectKey, taskId: number, restoredId: number): void {
    this.numbers.set(taskNameOf(key, taskId), restoredId);
    // Some servers give the numbers of deleted tasks again.
    this.numbers.delete(taskNameOf(key, restoredId));
  }

  addRemoved(key: ProjectKey, storyId: number): void {
    this.removed.add(nameOf(key, storyId));
    this.changed.fire(key);
  }
}

function nameOf(key: ProjectKey, id: number, what = ''): string {
  return `${keyText(key)}/${what}${id}`;
}

function taskNameOf(key: ProjectKey, taskId: number): string {
  return nameOf(key, taskId, 'task ');
}
