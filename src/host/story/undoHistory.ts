import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';

/** Something that was done to stories of a project at once. */
interface UndoEntry {
  readonly key: ProjectKey;
}

/** How much is remembered: so many entries of each project, or of all of them together. */
interface UndoLimit {
  readonly count: number;
  /** Says too what cannot be done again once there is a new entry: what was taken back in its project, or anywhere. */
  readonly per: 'project' | 'window';
}

/** Entries, the latest last, of all projects. */
class UndoStack<E extends UndoEntry> {
  private readonly limit: UndoLimit;
  private entries: readonly E[] = [];

  constructor(limit: UndoLimit) {
    this.limit = limit;
  }

  put(entry: E): void {
    const counted = this.limit.per === 'project' ? this.of(entry.key) : this.entries;
    const [oldest] = counted;
    const kept = counted.length >= this.limit.count ? this.entries.filter((one) => one !== oldest) : this.entries;
    this.entries = [...kept, entry];
  }

  remove(entry: E): void {
    this.entries = this.entries.filter((one) => one !== entry);
  }

  keep(isKept: (key: ProjectKey) => boolean): void {
    this.entries = this.entries.filter(({ key }) => isKept(key));
  }

  /** The latest entry of this project, or, where it has none or none is named, of any. */
  last(key?: ProjectKey): E | undefined {
    return (key && this.of(key).at(-1)) ?? this.entries.at(-1);
  }

  of(key: ProjectKey): readonly E[] {
    return this.entries.filter((one) => isSameProject(one.key, key));
  }
}

/** One of the two ways through a history: from which stack the latest entry is taken, and where what makes up for it is put. */
export interface UndoWay<E extends UndoEntry> {
  readonly from: UndoStack<E>;
  readonly onto: UndoStack<E>;
}

/** What was done in this window and can be taken back or be done again. */
export class UndoHistory<E extends UndoEntry> {
  /** What was done and not refused. */
  readonly done: UndoStack<E>;
  /** What took entries back, since the latest new one. */
  readonly undone: UndoStack<E>;
  readonly undoing: UndoWay<E>;
  readonly redoing: UndoWay<E>;
  private readonly limit: UndoLimit;
  private turn: Promise<unknown> = Promise.resolve();
  private expected: Promise<unknown> = Promise.resolve();

  constructor(limit: UndoLimit) {
    const [done, undone] = [new UndoStack<E>(limit), new UndoStack<E>(limit)];
    this.limit = limit;
    this.done = done;
    this.undone = undone;
    this.undoing = { from: done, onto: undone };
    this.redoing = { from: undone, onto: done };
  }

  /** A new entry: what was taken back before it cannot be done again. */
  add(entry: E): void {
    this.undone.keep((key) => this.limit.per === 'project' && !isSameProject(key, entry.key));
    this.done.put(entry);
  }

  /** Forgets the entries of projects that are no longer there, as after signing out. */
  keep(isThere: (key: ProjectKey) => boolean): void {
    this.done.keep(isThere);
    this.undone.keep(isThere);
  }

  /** An entry is about to be added; what this gives is to be called once it was, or is not to be. */
  expect(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.expected;
    this.expected = promise.then(() => before);
    return resolve;
  }

  /** Runs one after the other what takes entries back or does them again, after those that were begun before. */
  inTurn(work: () => Promise<void>): Promise<void> {
    const turn = Promise.all([this.turn, this.expected]).then(work);
    this.turn = turn.catch(() => undefined);
    return turn;
  }
}
