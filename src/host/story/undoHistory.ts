import { isSameProject, keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { EntryAbout, EntryKind, EntryValue, EntryValues } from './entryValues.ts';

/** What can be undone by itself: the latest move, though an edit came after it. */
export type UndoKind = 'move' | 'edit';

/** Whether something is taken back, or done again that was taken back. */
export type UndoWay = 'undo' | 'redo';

/** Something that was done at once to stories of a project, which knows how to make up for it. */
export interface UndoEntry extends EntryAbout {
  readonly kind: UndoKind;
  /** Begins to make up for it, and tells the person what was done. */
  retrace(way: UndoWay): Retracing;
  /** What it takes to make it again in a later window; `undefined` while that is not known. */
  toValue(): EntryValue | undefined;
}

/** Makes an entry of each kind again from what it is made of. */
export type EntryMakers = {
  readonly [K in EntryKind]: (about: EntryAbout, value: EntryValues[K]) => Promise<UndoEntry>;
};

/** What the workspace calls what is remembered of an account begins so. */
export const KEPT_UNDO = 'storyTracker.undo/';

/** What has the history outlive the window. */
interface UndoKeeper {
  /** Resolves once what earlier windows did is in the history, too. */
  ready(): Promise<void>;
  /** The history is another one, or more is known of one of its entries. */
  changed(): void;
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

  /** Below what is there. */
  putBelow(entries: readonly UndoEntry[]): void {
    const { items } = this;
    this.items = [];
    for (const entry of entries) this.put(entry);
    for (const { entry, isBarrier } of items) this.put(entry, isBarrier);
  }

  forget(isMeant: (key: ProjectKey) => boolean): void {
    this.items = this.items.filter(({ entry }) => !isMeant(entry.key));
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
  open(): readonly UndoEntry[] {
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
  private keeper: UndoKeeper | undefined;
  private turn: Promise<unknown> = Promise.resolve();
  private expected: Promise<unknown> = Promise.resolve();

  /** Entries of projects that are no longer there, as after signing out, are forgotten. */
  constructor(isThere: (key: ProjectKey) => Promise<boolean>) {
    this.isThere = isThere;
  }

  attach(keeper: UndoKeeper): void {
    this.keeper = keeper;
  }

  /** What can be taken back or done again, the latest last. */
  open(way: UndoWay): readonly UndoEntry[] {
    return this.stack(way).open().toReversed();
  }

  /** What an earlier window did, the latest last: it is before all that this one does. */
  putBelow(way: UndoWay, entries: readonly UndoEntry[]): void {
    this.stack(way).putBelow(entries);
  }

  /** Forgets all of these projects. */
  forget(isMeant: (key: ProjectKey) => boolean): void {
    this.done.forget(isMeant);
    this.undone.forget(isMeant);
  }

  /** More is known of an entry than when it was added. */
  noteKnown(): void {
    this.keeper?.changed();
  }

  /** A new entry, from when it is shown: what was taken back in its project before cannot be done again. */
  add(entry: UndoEntry): void {
    this.done.put(entry);
    this.undone.put(entry, true);
    this.keeper?.changed();
  }

  /** A new entry was refused: all is as if it had not been made. */
  remove(entry: UndoEntry): void {
    this.done.replace(entry);
    this.undone.replace(entry);
    this.keeper?.changed();
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
    const from = this.stack(way);
    const onto = this.stack(way === 'undo' ? 'redo' : 'undo');
    return this.inTurn(async () => {
      await this.keeper?.ready();
      await this.forgetGone();
      const entry = from.latest(kind, selected?.());
      if (!entry) return false;
      const retracing = entry.retrace(way);
      onto.put(retracing.inverse);
      const failed = (thrown: unknown): RetraceOutcome => ({ left: entry, problem: thrown });
      const { inverse, left, problem } = await retracing.outcome.catch(failed);
      from.replace(entry, left);
      onto.replace(retracing.inverse, inverse);
      this.keeper?.changed();
      if (problem !== undefined) throw problem;
      return inverse !== undefined;
    });
  }

  private async forgetGone(): Promise<void> {
    const keys = new Map([...this.done.keys, ...this.undone.keys].map((key) => [keyText(key), key]));
    for (const key of keys.values()) {
      if (!(await this.isThere(key))) this.forget((one) => isSameProject(one, key));
    }
  }

  private stack(way: UndoWay): UndoStack {
    return way === 'undo' ? this.done : this.undone;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = Promise.all([this.turn, this.expected]).then(work);
    this.turn = turn.catch(() => undefined);
    return turn;
  }
}
