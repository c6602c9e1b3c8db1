import type { Submission } from '../../core/outbox/outbox.ts';
import { isSameProject, keyText, type ProjectKey } from '../../host/tree/nodes.ts';
import type { MadeMove } from './madeMove.ts';

/** The moves of this window that can be taken back or be made again. */
export class MoveHistory {
  /** Those that were made and not refused. */
  readonly done = new MoveStack();
  /** What took moves back, since the latest new one of the project. */
  readonly undone = new MoveStack();
  private turn: Promise<unknown> = Promise.resolve();
  /** How many moves of a project were shown, those that take others back included. */
  private readonly counts = new Map<string, number>();
  private expected: Promise<unknown> = Promise.resolve();

  /** A new move: what was taken back before it cannot be made again. */
  add(key: ProjectKey, made: MadeMove): HistoryEntry {
    const entry: HistoryEntry = { key, made, mayWithdraw: true };
    this.undone.keep((other) => !isSameProject(other, key));
    this.done.put(entry);
    return entry;
  }

  /** Another move of this project is shown; what this gives tells whether it is the latest still. */
  shows(key: ProjectKey): () => boolean {
    const text = keyText(key);
    const count = (this.counts.get(text) ?? 0) + 1;
    this.counts.set(text, count);
    return () => this.counts.get(text) === count;
  }

  /** Forgets the moves of projects that are no longer there, as after signing out. */
  keep(isThere: (key: ProjectKey) => boolean): void {
    this.done.keep(isThere);
    this.undone.keep(isThere);
  }

  /** Whether an earlier move of these stories never reached the server, since a later one took its place. */
  hasReplaced({ key, made }: HistoryEntry): boolean {
    return this.done
      .of(key)
      .some((one) => one.submission?.isReplaced && one.made.storyIds.some((id) => made.storyIds.includes(id)));
  }

  /** A move is about to be added; what this gives is to be called once it was, or is not to be. */
  expect(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.expected;
    this.expected = promise.then(() => before);
    return resolve;
  }

  /** Runs one after the other what takes moves back or makes them again, after the moves that were begun before. */
  inTurn(work: () => Promise<void>): Promise<void> {
    const turn = Promise.all([this.turn, this.expected]).then(work);
    this.turn = turn.catch(() => undefined);
    return turn;
  }
}

/** How many moves of a project are kept. */
const LEVELS = 100;

/** A move of this window. */
export interface HistoryEntry {
  readonly key: ProjectKey;
  readonly made: MadeMove;
  /** Whether it may be taken out of the outbox: not where another may have taken the place of one before it. */
  readonly mayWithdraw: boolean;
  /** What became of it, once that is known. */
  submission?: Submission;
}

/** Moves, the latest last, of all projects. */
export class MoveStack {
  private entries: readonly HistoryEntry[] = [];

  put(entry: HistoryEntry): void {
    const same = this.of(entry.key);
    const [oldest] = same;
    const kept = same.length >= LEVELS ? this.entries.filter((one) => one !== oldest) : this.entries;
    this.entries = [...kept, entry];
  }

  remove(entry: HistoryEntry): void {
    this.entries = this.entries.filter((one) => one !== entry);
  }

  keep(isKept: (key: ProjectKey) => boolean): void {
    this.entries = this.entries.filter(({ key }) => isKept(key));
  }

  /** The latest move of this project, or, where it has none or none is named, of any. */
  last(key: ProjectKey | undefined): HistoryEntry | undefined {
    return (key && this.of(key).at(-1)) ?? this.entries.at(-1);
  }

  of(key: ProjectKey): readonly HistoryEntry[] {
    return this.entries.filter((one) => isSameProject(one.key, key));
  }
}
