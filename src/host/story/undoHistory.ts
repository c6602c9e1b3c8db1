import { isSameProject, keyText, type ProjectKey } from '../../core/story/projectKey.ts';

/** What can be undone by itself: the latest move, though an edit came after it. */
export type UndoKind = 'move' | 'edit';

/** Whether something is taken back, or done again that was taken back. */
export type UndoWay = 'undo' | 'redo';

/** Something that was done at once to stories of a project, which knows how to make up for it. */
export interface UndoEntry {
  readonly kind: UndoKind;
  readonly key: ProjectKey;
  readonly storyIds: readonly number[];
  /** Begins to make up for it, and tells the person what was done. */
  retrace(way: UndoWay): Retracing;
}

interface Retracing {
  /** What makes up, in turn, for what this does. It is in the history from the beginning, before what is done after it. */
  readonly inverse: UndoEntry;
  /** Rejects when nothing was done; it may be possible another time. */
  readonly outcome: Promise<RetraceOutcome>;
}

export interface RetraceOutcome {
  /** Makes up for what was done; absent when nothing was. */
  readonly inverse?: UndoEntry;
  /** What of the entry was not done and may be possible another time. */
  readonly left?: UndoEntry;
  /** Why not all was done: thrown once this is noted. */
  readonly problem?: unknown;
}

/** How many entries of each project are remembered, of each way. */
const REMEMBERED = 100;

interface StackItem {
  readonly entry: UndoEntry;
  /** Is not retraced itself, and keeps what is below it in its project from being retraced. */
  readonly isBarrier: boolean;
}

/** Entries, the latest last, of all projects. */
class UndoStack {
  private items: readonly StackItem[] = [];

  put(entry: UndoEntry, isBarrier = false): void {
    const ofProject = this.items.filter((item) => isSameProject(item.entry.key, entry.key));
    const [oldest] = ofProject;
    const kept = ofProject.length >= REMEMBERED ? this.items.filter((item) => item !== oldest) : this.items;
    this.items = [...kept, { entry, isBarrier }];
  }

  /** Puts another entry in the place of this one, or none; nothing where it is gone. */
  replace(entry: UndoEntry, by?: UndoEntry): void {
    this.items = this.items.flatMap((item) => {
      if (item.entry !== entry) return item;
      return by ? { ...item, entry: by } : [];
    });
  }

  forget(key: ProjectKey): void {
    this.items = this.items.filter(({ entry }) => !isSameProject(entry.key, key));
  }

  get keys(): readonly ProjectKey[] {
    return this.items.map(({ entry }) => entry.key);
  }

  /** The latest entry, of this kind where one is named: of this project, or, where it has none or none is named, of any. */
  latest(kind: UndoKind | undefined, key: ProjectKey | undefined): UndoEntry | undefined {
    const found = this.open().filter((entry) => kind === undefined || entry.kind === kind);
    return (key && found.find((entry) => isSameProject(entry.key, key))) ?? found[0];
  }

  of(key: ProjectKey): readonly UndoEntry[] {
    return this.items.flatMap(({ entry, isBarrier }) => (!isBarrier && isSameProject(entry.key, key) ? entry : []));
  }

  /** What can be retraced, the latest first. */
  private open(): readonly UndoEntry[] {
    const closed: ProjectKey[] = [];
    return this.items.toReversed().flatMap(({ entry, isBarrier }) => {
      if (closed.some((key) => isSameProject(key, entry.key))) return [];
      if (!isBarrier) return entry;
      closed.push(entry.key);
      return [];
    });
  }
}

/** What was done in this window, of whatever kind, and can be taken back or be done again. */
export class UndoHistory {
  /** What was done and not refused. */
  private readonly done = new UndoStack();
  /** What took entries back; and, as barriers, the new entries since which it cannot be done again. */
  private readonly undone = new UndoStack();
  private readonly isThere: (key: ProjectKey) => Promise<boolean>;
  private turn: Promise<unknown> = Promise.resolve();
  private expected: Promise<unknown> = Promise.resolve();

  /** Entries of projects that are no longer there, as after signing out, are forgotten. */
  constructor(isThere: (key: ProjectKey) => Promise<boolean>) {
    this.isThere = isThere;
  }

  /** A new entry, from when it is shown: what was taken back in its project before cannot be done again. */
  add(entry: UndoEntry): void {
    this.done.put(entry);
    this.undone.put(entry, true);
  }

  /** A new entry was refused: all is as if it had not been made. */
  remove(entry: UndoEntry): void {
    this.done.replace(entry);
    this.undone.replace(entry);
  }

  /** What was done in a project and can be taken back, the latest last. */
  doneIn(key: ProjectKey): readonly UndoEntry[] {
    return this.done.of(key);
  }

  /** What was taken back in a project, the latest last. */
  undoneIn(key: ProjectKey): readonly UndoEntry[] {
    return this.undone.of(key);
  }

  /** An entry is about to be added; what this gives is to be called once it was, or is not to be. */
  expect(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.expected;
    this.expected = promise.then(() => before);
    return resolve;
  }

  /**
   * Makes up for the latest entry, of this kind and of the selected project where it has one, after what was begun before.
   * `false` when there is none. @throws what kept it from being done, or from being done completely.
   */
  retrace(way: UndoWay, kind?: UndoKind, selected?: () => ProjectKey | undefined): Promise<boolean> {
    const [from, onto] = way === 'undo' ? [this.done, this.undone] : [this.undone, this.done];
    return this.inTurn(async () => {
      await this.forgetGone();
      const entry = from.latest(kind, selected?.());
      if (!entry) return false;
      const retracing = entry.retrace(way);
      onto.put(retracing.inverse);
      const failed = (thrown: unknown): RetraceOutcome => ({ left: entry, problem: thrown });
      const { inverse, left, problem } = await retracing.outcome.catch(failed);
      from.replace(entry, left);
      onto.replace(retracing.inverse, inverse);
      if (problem !== undefined) throw problem;
      return inverse !== undefined;
    });
  }

  private async forgetGone(): Promise<void> {
    const keys = new Map([...this.done.keys, ...this.undone.keys].map((key) => [keyText(key), key]));
    for (const key of keys.values()) {
      if (await this.isThere(key)) continue;
      this.done.forget(key);
      this.undone.forget(key);
    }
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = Promise.all([this.turn, this.expected]).then(work);
    this.turn = turn.catch(() => undefined);
    return turn;
  }
}
