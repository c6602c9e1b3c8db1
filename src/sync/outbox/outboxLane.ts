import type { DatabaseSync } from 'node:sqlite';
import { hasNeverLeft } from '../../client/network/networkError.ts';
import { failureMeans, isCancelled, kindOf, messageOf, TrackerError } from '../../core/errors.ts';
import { isRepeatable } from '../../core/intents/intentRules.ts';
import type { Log } from '../../core/log.ts';
import type { Outcome } from '../../core/outbox/outbox.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { ReplicaProject } from '../../core/replica/replica.ts';
import type { Project } from '../../core/story/project.ts';
import type { StoryRef } from '../../core/story/story.ts';
import { isLinkedSince } from '../commits/linkedCommits.ts';
import { AbandonedLease, leaseOf, releaseLease, renewLease, takeLease, takeLeaseFrom } from '../file/lease.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { accountKey, rowOf, storyIn, valueIn } from '../file/replicaRows.ts';
import { type Done, isEdited } from './attempts.ts';
import { attempt } from './outboxAttempt.ts';
import { type Before, delayRow, failRows, markSent, noteCreated, type OutboxRow, pickRow } from './outboxRows.ts';
import { backOff, countedProblem, isHopeless, LONGEST_WAIT_MS, turnsOf } from './outboxTurns.ts';
import { createdBy, linksInDoubt, problemOf, storeAnswer } from './storedAnswers.ts';

export interface LaneNeeds {
  readonly file: ReplicaFile;
  /** The server as an account's user, connected as the settings say now. May throw what keeps it from being reached. */
  readonly tracker: (accountId: string) => Tracker | Promise<Tracker>;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, sooner when the signal is aborted. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Random for each process. */
  readonly owner: string;
  /** Whether someone is signed in to this account, at this address. */
  readonly isAttended: (project: ReplicaProject) => boolean;
  /** Whether what waits would be lost with this process: then nothing may wait. */
  readonly isVolatile: () => boolean;
  /** `isSentOnly`: an entry was taken, which `onSettled` has told; the others are as they were. */
  readonly onChange: (isSentOnly: boolean) => void;
  readonly onSettled: (id: string, outcome: Outcome) => void;
}

/** How long a window that was killed keeps the others from sending. */
const LEASE = 20_000;
/** How often its holder prolongs it. */
const RENEWAL = LEASE / 4;
/** A holder that was asleep with the machine has prolonged it after so long. */
const AWAKE = 2 * RENEWAL;
/** How often a window looks what became of what another one sends. */
const LOOK = 1_000;
/** How often a window that waits to try again looks whether another one did. */
const LONG_LOOK = 15_000;

type Turn =
  | { readonly kind: 'idle' }
  /** `isWatching`: for another window's lease. */
  | { readonly kind: 'wait'; readonly milliseconds: number; readonly isWatching?: boolean }
  | { readonly kind: 'send'; readonly row: OutboxRow };

/** Another window has taken the entry over, since this one did not move for too long. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** What the lease of sending a project's entries is called. */
export function laneLease({ accountId, address, projectId }: ReplicaProject): string {
  return `outbox:${JSON.stringify([accountId, address, projectId])}`;
}

/** Sends one project's entries, one at a time and in order, by a lease, so that of all windows one does. */
export class OutboxLane {
  private readonly needs: LaneNeeds;
  private readonly project: ReplicaProject;
  private readonly lease: string;
  private readonly closing = new AbortController();
  private readonly others = new AbandonedLease({ soonMs: AWAKE, lateMs: LEASE });
  private pause = new AbortController();
  private isRunning = false;
  /** Someone may have signed in since the server refused us. */
  private isSignInHoped = false;

  constructor(needs: LaneNeeds, project: ReplicaProject) {
    this.needs = needs;
    this.project = project;
    this.lease = laneLease(project);
  }

  /** Goes on at once if there is something to send; `isSignInHoped` also where the server had turned us away. */
  wake(isSignInHoped: boolean): void {
    this.isSignInHoped ||= isSignInHoped;
    this.pause.abort();
    this.look();
  }

  /** Sees whether there is something to send, unless it is at that. */
  look(): void {
    if (this.isRunning || this.closing.signal.aborted) return;
    this.isRunning = true;
    void this.run();
  }

  /** Stops in the middle of what it does, as if the process had ended: nothing is written any more. */
  close(): void {
    this.closing.abort();
    this.pause.abort();
  }

  private async run(): Promise<void> {
    while (!this.closing.signal.aborted) {
      this.pause = new AbortController();
      const turn = this.turn();
      if (turn.kind === 'idle') {
        this.isRunning = false;
        this.needs.onChange(false);
        return;
      }
      const isSent = turn.kind === 'send' && (await this.trySending(turn.row));
      if (turn.kind === 'wait') await this.rest(turn);
      if (!this.closing.signal.aborted) this.needs.onChange(isSent);
    }
    this.isRunning = false;
  }

  private async rest({ milliseconds, isWatching }: Extract<Turn, { kind: 'wait' }>): Promise<void> {
    await this.needs.wait(milliseconds, this.pause.signal);
    if (!isWatching) this.others.forget();
    else if (!this.pause.signal.aborted) this.others.watched(milliseconds);
  }

  private turn(): Turn {
    try {
      return this.needs.file.changeDurably((database) => this.turnIn(database));
    } catch (thrown) {
      this.needs.log.error(`could not read the outbox: ${messageOf(thrown)}`);
      return { kind: 'wait', milliseconds: LOOK };
    }
  }

  private turnIn(database: DatabaseSync): Turn {
    const { needs, project, lease: name } = this;
    const [owner, now] = [needs.owner, needs.now()];
    const head = turnsOf(database, project, now).next;
    const rests = !head || !needs.isAttended(project) || (isTurnedAway(head) && !this.isSignInHoped);
    if (rests) {
      releaseLease(database, { name, owner });
      return { kind: 'idle' };
    }
    if (head.nextAt !== undefined && head.nextAt > now && head.nextAt <= now + LONGEST_WAIT_MS) {
      releaseLease(database, { name, owner });
      return { kind: 'wait', milliseconds: Math.min(head.nextAt - now, LONG_LOOK) };
    }
    if (!this.takesLease(database, now)) return { kind: 'wait', milliseconds: LOOK, isWatching: true };
    this.isSignInHoped = false;
    const row = pickRow(database, head);
    return row ? { kind: 'send', row } : { kind: 'idle' };
  }

  /** Never from a holder that may still be sending: neither the clock nor a long sleep tells that it has ended. */
  private takesLease(database: DatabaseSync, now: number): boolean {
    const { lease: name, others } = this;
    const claim = { name, owner: this.needs.owner, rank: 0, until: now + LEASE, now };
    const held = leaseOf(database, name);
    if (!held || held.owner === claim.owner) return takeLease(database, claim);
    return others.isAbandoned(held, now) && takeLeaseFrom(database, held, claim);
  }

  /** Whether the server has taken the entry, and it is gone while all others are as they were. */
  private async trySending(row: OutboxRow): Promise<boolean> {
    try {
      return await this.send(row);
    } catch (thrown) {
      this.needs.log.error(`could not write the outbox: ${messageOf(thrown)}`);
      await this.needs.wait(LOOK, this.closing.signal);
      return false;
    }
  }

  private async send(row: OutboxRow): Promise<boolean> {
    const { needs, project, closing } = this;
    const giveUp = new AbortController();
    const over = new AbortController();
    const signal = AbortSignal.any([closing.signal, giveUp.signal]);
    void this.keepLease(over.signal, giveUp);
    // Settled only when the answer to the write is known; a read that fails tells nothing about an earlier write.
    const isUnsent = row.sentAt === undefined;
    let isUndone = isUnsent;
    const write = async <T>(run: () => Promise<T>, before?: Before): Promise<T> => {
      this.markSent(row, before);
      isUndone = false;
      try {
        return await run();
      } catch (thrown) {
        isUndone = isUnsent ? isNeverDone(thrown) : isRefused(thrown) && isRepeatable(row.intent);
        throw thrown;
      }
    };
    const read = {
      knownStory: (storyId: number) => needs.file.run((database) => storyIn(database, project, storyId)),
      lastActivityAt: () => needs.file.run((database) => lastActivityIn(database, project)),
      isLinkedSince: (commitId: string, stories: readonly StoryRef[], at: number) =>
        needs.file.run((database) => isLinkedSince(database, project, commitId, stories, at)),
      areLinksInDoubt: () => needs.file.run((database) => linksInDoubt(database, row).length > 0),
      noteCreated: (storyId: number) => {
        if (!closing.signal.aborted) needs.file.changeDurably((database) => noteCreated(database, row, storyId));
      },
    };
    try {
      const tracker = await needs.tracker(project.accountId);
      const options = { signal, mayGo: () => this.isOurs() };
      const done = await attempt({ tracker, send: write, ...read, options }, row);
      if (!closing.signal.aborted) this.settle(row, done);
      return !done.refusedTasks?.length;
    } catch (thrown) {
      if (!closing.signal.aborted) this.putBack(row, thrown, isUndone);
      return false;
    } finally {
      over.abort();
    }
  }

  /** Gives up what is under way where another window has the lease, or soon may since it cannot be prolonged. */
  private async keepLease(signal: AbortSignal, giveUp: AbortController): Promise<void> {
    const { needs, closing } = this;
    for (let failed = 0; failed < LEASE / RENEWAL - 1; ) {
      await needs.wait(RENEWAL, AbortSignal.any([signal, closing.signal]));
      if (signal.aborted || closing.signal.aborted) return;
      try {
        if (!this.isOurs()) break;
        failed = 0;
      } catch (thrown) {
        failed += 1;
        needs.log.warn(`could not write the outbox: ${messageOf(thrown)}`);
      }
    }
    giveUp.abort();
  }

  /** Prolongs the lease; `false` when another window has it. */
  private isOurs(): boolean {
    const { file, owner, now } = this.needs;
    const { lease: name, closing } = this;
    if (closing.signal.aborted) return false;
    return file.change((database) => renewLease(database, { name, owner, until: now() + LEASE }));
  }

  private markSent(row: OutboxRow, before: Before | undefined): void {
    const { file, now, owner } = this.needs;
    if (this.closing.signal.aborted) throw new Overtaken('The window is closing.');
    const isOurs = file.changeDurably(
      (database) =>
        renewLease(database, { name: this.lease, owner, until: now() + LEASE }) &&
        markSent(database, row, now(), before),
    );
    if (!isOurs) throw new Overtaken('Another window is sending this.');
  }

  /** A late answer counts too, whoever holds the lease by then: what was done must not be sent again. */
  private settle(row: OutboxRow, done: Done): void {
    const { file, now, onSettled, log } = this.needs;
    const { intent, id } = row;
    const { story, isRepeated } = done;
    const number = intent.kind === 'newTask' ? done.task?.id : createdBy(row, done);
    file.changeDurably((database) => storeAnswer(database, row, done, now()));
    log.info(`outbox: ${intent.kind} of story ${intent.storyId} sent`);
    const isUnlike = story && intent.kind === 'edit' && !isEdited(story, intent.edit, undefined);
    onSettled(id, {
      kind: 'sent',
      ...(isRepeated && { isRepeated }),
      ...(number !== undefined && { created: number }),
      ...(isUnlike && { answer: story }),
    });
  }

  private putBack(row: OutboxRow, thrown: unknown, isUndone: boolean): void {
    const { file, now, random, log, isVolatile } = this.needs;
    const retryAfter = thrown instanceof TrackerError ? thrown.retryAfter : undefined;
    const nextAt = now() + backOff(row.attempts, random, retryAfter);
    if (thrown instanceof Overtaken || isCancelled(thrown)) {
      file.changeDurably((database) => delayRow(database, row, { isUndone, nextAt }));
      return;
    }
    const problem = countedProblem(thrown, problemOf(thrown), row.problem, now());
    const { intent } = row;
    log.warn(`outbox: ${intent.kind} of story ${intent.storyId} not sent: ${problem.message}`);
    const isDoubtful = !isUndone && !isRepeatable(intent);
    file.changeDurably((database) => {
      if (failureMeans(problem.kind, 'final') || isHopeless(problem, now()) || isVolatile())
        failRows(database, row, problem, isDoubtful);
      else delayRow(database, row, { problem, isUndone, ...(!failureMeans(problem.kind, 'signIn') && { nextAt }) });
    });
  }
}

/** As the list of projects told it: what is older than the truth is as good. */
function lastActivityIn(database: DatabaseSync, project: ReplicaProject): number | undefined {
  const key = accountKey(database, project);
  const sql = 'SELECT value FROM project WHERE account = ? AND id = ?';
  const row = key === undefined ? undefined : rowOf(database, sql, key, project.projectId);
  return row && valueIn<Project>(row, 'value').lastActivityAt?.time;
}

/** Waits until someone signs in or retries. */
function isTurnedAway({ state, problem }: OutboxRow): boolean {
  return state === 'waiting' && failureMeans(problem?.kind, 'signIn');
}

/** The server answered that it did not do it: what it was sent before it would have done again. */
function isRefused(thrown: unknown): boolean {
  return failureMeans(kindOf(thrown), 'undone');
}

/** As `isRefused`, or it never heard of it. A gateway that is busy may have passed it on before. */
function isNeverDone(thrown: unknown): boolean {
  if (isRefused(thrown)) return true;
  return thrown instanceof TrackerError && (thrown.status === 429 || hasNeverLeft(thrown));
}
