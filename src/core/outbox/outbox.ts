import { TrackerError, type TrackerErrorKind } from '../errors.ts';
import type { Intent } from '../intents/intent.ts';
import type { CallOptions } from '../ports/tracker.ts';
import type { ReplicaAccount, ReplicaProject } from '../replica/replica.ts';
import type { Story } from '../story/story.ts';

/** `waiting` for its turn, the network or a sign-in · `sending` · `failed`: refused, and kept until someone retries or discards it. */
export type EntryState = 'waiting' | 'sending' | 'failed';

/** Why an entry waits or failed, in the server's words where it gave some. */
export interface EntryProblem {
  readonly kind: TrackerErrorKind;
  readonly message: string;
  /** How often in a row the server failed at it, which is not the same as refusing it. */
  readonly times?: number;
  /** Since when it has, in milliseconds since the epoch. */
  readonly since?: number;
  /** It has taken others in the meantime. */
  readonly isPassed?: boolean;
}

export interface OutboxEntry {
  readonly id: string;
  /** Rises with every entry; they are sent in this order. */
  readonly place: number;
  readonly project: ReplicaProject;
  readonly intent: Intent;
  readonly state: EntryState;
  /** Milliseconds since the epoch. */
  readonly addedAt: number;
  readonly attempts: number;
  /** When it is tried again, in milliseconds since the epoch; absent, or past, where it only waits for its turn or a sign-in. */
  readonly nextAt?: number;
  readonly problem?: EntryProblem;
}

/** What became of an entry: `waiting` when it is safe on disk and cannot be sent now; it is sent without being asked for again. */
export type Outcome =
  /**
   * `isRepeated`: the server had it before this was sent; `created`: the number that it gave a new story or task; `answer`: the
   * story with which it answered an edit, where that is not as the edit wants it. `isElsewhere`: another window sent it, and nothing
   * of the answer is known but what is in the local copy.
   */
  | {
      readonly kind: 'sent';
      readonly isRepeated?: boolean;
      readonly created?: number;
      readonly answer?: Story;
      readonly isElsewhere?: true;
    }
  | { readonly kind: 'waiting'; readonly problem: EntryProblem }
  | { readonly kind: 'failed'; readonly problem: EntryProblem }
  | { readonly kind: 'discarded' }
  /** A later move of the same story made it needless before it was sent. */
  | { readonly kind: 'replaced' };

/**
 * What people did that servers have not taken yet, in the file that all windows share. Each project's entries go out one
 * at a time in the order they were added; what follows an entry that waits waits too, unless a server fails at that entry
 * again and again and their order does not matter.
 */
export interface Outbox {
  /**
   * Is on disk when it resolves. Entries of one call are sent in their order; when one is refused, those after it go back.
   * Moves that wait and that these make needless go.
   */
  add(project: ReplicaProject, intents: readonly Intent[]): Promise<readonly OutboxEntry[]>;
  /** Resolves when the server has answered, or when it is known that the entry has to wait. */
  outcome(id: string): Promise<Outcome>;
  entries(): Promise<readonly OutboxEntry[]>;
  /** Tries entries again now, all that wait or failed when none are named. */
  retry(ids?: readonly string[]): Promise<void>;
  /** Forgets entries; one that is being sent stays. */
  discard(ids: readonly string[]): Promise<void>;
  /** Forgets entries together; `false`, and all of them stay, when a server may have heard of one. */
  withdraw(ids: readonly string[]): Promise<boolean>;
  /** Sends what is there of these accounts, and from now on of no others: who signed out may sign in again later. */
  attend(accounts: readonly ReplicaAccount[]): Promise<void>;
  /** Tells of entries whenever they have become others, as far as this window sees. Resolves when the signal is aborted. */
  follow(options: OutboxFollowing): Promise<void>;
}

export interface OutboxFollowing extends CallOptions {
  readonly onChange: (entries: readonly OutboxEntry[]) => void;
}

/** What became of several intents that belong together. */
export interface Submission {
  /** What they are called in the outbox, in order. */
  readonly entryIds: readonly string[];
  /** How many the server has taken, or need not be given any more. */
  readonly sent: number;
  /** How many of these it had before. */
  readonly repeated: number;
  /** The numbers of new stories and tasks, as far as this window knows them. */
  readonly created?: readonly number[];
  /** The stories with which the server answered edits, where they are not as these want them. */
  readonly answers?: readonly Story[];
  /** Another window sent one of these, so that how it was answered is not known. */
  readonly isElsewhere?: true;
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
  const answers = sent.flatMap((outcome) => outcome.answer ?? []);
  const replaced = outcomes.filter((outcome) => outcome.kind === 'replaced');
  const waiting = outcomes.find((outcome) => outcome.kind === 'waiting');
  const failed = outcomes.find((outcome) => outcome.kind === 'failed');
  return {
    entryIds,
    sent: sent.length + replaced.length,
    repeated: sent.filter(({ isRepeated }) => isRepeated).length,
    ...(created.length > 0 && { created }),
    ...(answers.length > 0 && { answers }),
    ...(sent.some(({ isElsewhere }) => isElsewhere) && { isElsewhere: true }),
    ...(replaced.length > 0 && { isReplaced: true }),
    ...(waiting && { waiting: waiting.problem }),
    ...(failed && { refused: new TrackerError(failed.problem.kind, failed.problem.message) }),
  };
}
