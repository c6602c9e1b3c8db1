import type { Submission } from '../../core/outbox/outbox.ts';
import { keyText, type ProjectKey } from '../../host/tree/nodes.ts';
import type { MadeMove } from './madeMove.ts';

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
    return this.entries.filter((one) => keyText(one.key) === keyText(key));
  }
}
