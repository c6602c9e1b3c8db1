import type { Submission } from '../../core/outbox/outbox.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import { UndoHistory } from '../../host/story/undoHistory.ts';
import type { MadeMove } from './madeMove.ts';

/** A move of this window. */
export interface MoveEntry {
  readonly key: ProjectKey;
  readonly made: MadeMove;
  /** Whether it may be taken out of the outbox: not where another may have taken the place of one before it. */
  readonly mayWithdraw: boolean;
  /** What became of it, once that is known. */
  submission?: Submission;
}

/** The moves of this window that can be taken back or be made again. */
export class MoveHistory extends UndoHistory<MoveEntry> {
  /** How many moves of a project were shown, those that take others back included. */
  private readonly counts = new Map<string, number>();

  constructor() {
    super({ count: 100, per: 'project' });
  }

  /** Another move of this project is shown; what this gives tells whether it is the latest still. */
  shows(key: ProjectKey): () => boolean {
    const text = keyText(key);
    const count = (this.counts.get(text) ?? 0) + 1;
    this.counts.set(text, count);
    return () => this.counts.get(text) === count;
  }

  /** Whether an earlier move of these stories never reached the server, since a later one took its place. */
  hasReplaced({ key, made }: MoveEntry): boolean {
    return this.done
      .of(key)
      .some((one) => one.submission?.isReplaced && one.made.storyIds.some((id) => made.storyIds.includes(id)));
  }
}
