import type { Submission } from '../../core/submission.ts';
import { keyText, type ProjectKey } from '../../host/nodes.ts';
import type { MadeMove } from './madeMove.ts';

/** How many moves of a project can be taken back, one after the other. */
const LEVELS = 100;

/** A move of this window. */
export interface HistoryEntry {
  readonly key: ProjectKey;
  readonly made: MadeMove;
  /** What became of it, once that is known. */
  submission?: Submission;
}

/** The moves that were made in this window and not refused, the latest last, of all projects. */
export class MoveHistory {
  private entries: readonly HistoryEntry[] = [];
  private turn: Promise<unknown> = Promise.resolve();
  /** How many moves of a project were shown, those that take others back included. */
  private readonly counts = new Map<string, number>();
  private expected: Promise<unknown> = Promise.resolve();

  add(key: ProjectKey, made: MadeMove): HistoryEntry {
    const entry: HistoryEntry = { key, made };
    this.put(entry);
    return entry;
  }

  /** Another move of this project is shown; what this gives tells whether it is the latest still. */
  shows(key: ProjectKey): () => boolean {
    const text = keyText(key);
    const count = (this.counts.get(text) ?? 0) + 1;
    this.counts.set(text, count);
    return () => this.counts.get(text) === count;
  }

  /** Puts back what was taken out. */
  put(entry: HistoryEntry): void {
    const same = this.of(entry.key);
    const [oldest] = same;
    const kept = same.length >= LEVELS ? this.entries.filter((one) => one !== oldest) : this.entries;
    this.entries = [...kept, entry];
  }

  remove(entry: HistoryEntry): void {
    this.entries = this.entries.filter((one) => one !== entry);
  }

  /** Forgets the moves of projects that are no longer there, as after signing out. */
  keep(isThere: (key: ProjectKey) => boolean): void {
    this.entries = this.entries.filter(({ key }) => isThere(key));
  }

  /** The latest move of this project, or, where it has none or none is named, of any. */
  last(key: ProjectKey | undefined): HistoryEntry | undefined {
    return (key && this.of(key).at(-1)) ?? this.entries.at(-1);
  }

  /** Whether an earlier move of these stories never reached the server, since a later one took its place. */
  hasReplaced({ key, made }: HistoryEntry): boolean {
    return this.of(key).some(
      (one) => one.submission?.isReplaced && one.made.storyIds.some((id) => made.storyIds.includes(id)),
    );
  }

  /** A move is about to be added; what this gives is to be called once it was, or is not to be. */
  expect(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.expected;
    this.expected = promise.then(() => before);
    return resolve;
  }

  /** Runs one after the other what takes moves back, after the moves that were begun before. */
  inTurn(work: () => Promise<void>): Promise<void> {
    const turn = Promise.all([this.turn, this.expected]).then(work);
    this.turn = turn.catch(() => undefined);
    return turn;
  }

  private of(key: ProjectKey): readonly HistoryEntry[] {
    return this.entries.filter((one) => keyText(one.key) === keyText(key));
  }
}
