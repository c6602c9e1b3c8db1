import { TrackerError } from '../errors.ts';
import type { EntryProblem, Outcome } from './outbox.ts';

/** What became of several intents that belong together. */
export interface Submission {
  /** What they are called in the outbox, in order. */
  readonly entryIds: readonly string[];
  /** How many the server has taken, or need not be given any more. */
  readonly sent: number;
  /** How many of these it had before. */
  readonly repeated: number;
  /** The numbers of new stories, as far as this window knows them. */
  readonly created?: readonly number[];
  /** A later move of the same story took the place of one of these. */
  readonly isReplaced?: boolean;
  /** Why the others wait; they are safe on disk. */
  readonly waiting?: EntryProblem;
  /** Why the others were taken back. */
  readonly refused?: TrackerError;
}

export function submissionOf(entryIds: readonly string[], outcomes: readonly Outcome[]): Submission {
  const sent = outcomes.filter((outcome) => outcome.kind === 'sent');
  const created = sent.flatMap((outcome) => outcome.created ?? []);
  const replaced = outcomes.filter((outcome) => outcome.kind === 'replaced');
  const waiting = outcomes.find((outcome) => outcome.kind === 'waiting');
  const failed = outcomes.find((outcome) => outcome.kind === 'failed');
  return {
    entryIds,
    sent: sent.length + replaced.length,
    repeated: sent.filter(({ isRepeated }) => isRepeated).length,
    ...(created.length > 0 && { created }),
    ...(replaced.length > 0 && { isReplaced: true }),
    ...(waiting && { waiting: waiting.problem }),
    ...(failed && { refused: new TrackerError(failed.problem.kind, failed.problem.message) }),
  };
}
