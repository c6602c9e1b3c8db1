import type { Backlog } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import type { Log } from '../../core/log.ts';
import {
  type ChangedSince,
  type MadeMove,
  planBack,
  renumberedMove,
  takenBack,
  withSteps,
} from '../../core/moves/madeMove.ts';
import type { PossibleMove } from '../../core/moves/movePlan.ts';
import type { Submission } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { EntryValue } from '../../host/story/entryValues.ts';
import type { RestoredStories } from '../../host/story/restoredStories.ts';
import type { RetraceOutcome, UndoEntry, UndoHistory, UndoWay } from '../../host/story/undoHistory.ts';

/** A move, and the order as it is shown without it and with it. */
export interface ShownMove {
  readonly before: Backlog;
  readonly shown: Backlog;
  readonly plan: PossibleMove;
}

/** What making up for a move takes. */
export interface MoveMeans {
  readonly backlogs: {
    withdraw(ids: readonly string[]): Promise<boolean>;
    areUnmade(entryIds: readonly string[]): Promise<boolean>;
    reload(key: ProjectKey): Promise<void>;
    backlog(key: ProjectKey): Promise<Backlog>;
    peek(key: ProjectKey): Backlog | undefined;
  };
  readonly undoHistory: Pick<UndoHistory, 'doneIn'>;
  readonly restoredStories: Pick<RestoredStories, 'numberOrPending'>;
  readonly log: Log;
  /** @throws TrackerError when the server refuses. */
  carryOut(key: ProjectKey, move: ShownMove): Promise<Submission>;
  /** Tells the person that it was taken back or made again. */
  tellRetraced(way: UndoWay, backlog: Backlog | undefined, storyIds: readonly number[]): void;
  /** Says that the stories were never moved, since what waited for their server was refused or discarded. */
  unmadeError(storyIds: readonly number[]): Error;
  /** Says that one of the stories, or one next to which they stood, was made again and has no number yet, so that nothing was done. */
  unsentError(): Error;
  /** Says that the order is not as the move left it, so that nothing was done. */
  changedError(way: UndoWay, backlog: Backlog, changed: ChangedSince): Error;
}

/** What became of a move, as far as it matters to taking it back. */
type KnownSubmission = Pick<Submission, 'entryIds' | 'isReplaced' | 'waiting'>;

/** A move of this window, or of one before it. */
export class MoveEntry implements UndoEntry {
  readonly kind = 'move';
  readonly key: ProjectKey;
  readonly storyIds: readonly number[];
  /** What became of it, once that is known. */
  submission?: KnownSubmission;
  private readonly made: MadeMove;
  private readonly means: MoveMeans;
  private readonly isNew: boolean;

  /** `isNew` where it makes up for no other. */
  constructor(means: MoveMeans, key: ProjectKey, made: MadeMove, isNew = true) {
    this.means = means;
    this.key = key;
    this.storyIds = made.storyIds;
    this.made = made;
    this.isNew = isNew;
  }

  toValue(): EntryValue<'move'> {
    const { made, isNew, submission } = this;
    return { kind: 'move', value: { made, isNew, ...(submission && { submission: knownOf(submission) }) } };
  }

  /** Out of the outbox where it still waits, else by moving the stories to where they were, after the order was read again. */
  retrace(way: UndoWay) {
    const inverse = new MoveEntry(this.means, this.key, takenBack(this.made), false);
    return { inverse, outcome: this.makeUp(way, inverse) };
  }

  private async makeUp(way: UndoWay, inverse: MoveEntry): Promise<RetraceOutcome> {
    const { means, key } = this;
    // Stories that were deleted since and made again have other numbers.
    let isUnsent = false;
    const made = renumberedMove(this.made, (id) => {
      const now = means.restoredStories.numberOrPending(key, id);
      isUnsent ||= isPendingStory({ id: now });
      return now;
    });
    const { storyIds } = made;
    if (await this.isWithdrawn()) {
      means.tellRetraced(way, means.backlogs.peek(key), storyIds);
      return { inverse };
    }
    if (await this.isUnmade()) return { problem: means.unmadeError(storyIds) };
    if (isUnsent) throw means.unsentError();
    const before = await this.orderNow();
    const plan = planBack(before, made);
    if ('changed' in plan) return { problem: means.changedError(way, before, plan) };
    const shown = withSteps(before, plan.steps);
    // What slips for it is told after it.
    means.tellRetraced(way, means.backlogs.peek(key), storyIds);
    inverse.submission = await means.carryOut(key, { before, shown, plan });
    return { inverse };
  }

  /** Takes it out of the outbox; `false` when a server has it or may have it, or when an earlier one is lost with it. */
  private async isWithdrawn(): Promise<boolean> {
    const { waiting, entryIds } = this.submission ?? {};
    // What makes up for another may have taken the place of one before it.
    if (!waiting || !entryIds || !this.isNew || this.hasReplaced()) return false;
    return this.means.backlogs.withdraw(entryIds);
  }

  private async isUnmade(): Promise<boolean> {
    const { waiting, entryIds } = this.submission ?? {};
    return waiting !== undefined && entryIds !== undefined && this.means.backlogs.areUnmade(entryIds);
  }

  /** Whether an earlier move of these stories never reached the server, since a later one took its place. */
  private hasReplaced(): boolean {
    const moves = this.means.undoHistory.doneIn(this.key).filter((one) => one instanceof MoveEntry);
    return moves.some(
      (one) => one !== this && one.submission?.isReplaced && one.storyIds.some((id) => this.storyIds.includes(id)),
    );
  }

  /** The order as the server has it now. */
  private async orderNow(): Promise<Backlog> {
    const { key, means } = this;
    const { backlogs, log } = means;
    // While the server has not answered the move, what is shown is all that is known.
    if (this.submission) await backlogs.reload(key).catch((thrown: unknown) => log.debug(messageOf(thrown)));
    const read = await backlogs.backlog(key);
    return backlogs.peek(key) ?? read;
  }
}

function knownOf({ entryIds, waiting, isReplaced }: KnownSubmission): KnownSubmission {
  return { entryIds, ...(waiting && { waiting }), ...(isReplaced && { isReplaced }) };
}
