import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceEvent, ServiceLog } from '../ground/background.ts';
import { nextAttempt } from '../ground/deliveryTimes.ts';
import { isToldAlready } from '../ground/errors.ts';
import type { Database, Stamp, Tx } from '../store/database.ts';
import {
  type ClaimedJob,
  claimJobs,
  failJob,
  finishJob,
  freeJob,
  type LongLease,
  mendMoments,
  nextDue,
  postponeJob,
  renewLease,
} from '../store/jobs/claimedJobs.ts';
import { hasJobs } from '../store/jobs/queues.ts';
import type { JobKind } from '../store/schema.ts';
import { DeliveryFailure, type HandledKind, type JobHandler, keptSentence, Postponement } from './jobHandler.ts';

interface JobWorkNeeds {
  readonly database: Database;
  readonly log: ServiceLog;
  readonly clock: () => number;
  /** Milliseconds after which others may take what this process held, should it say nothing more. */
  readonly lease: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

interface JobWorkersNeeds extends JobWorkNeeds {
  readonly kinds: readonly HandledKind[];
  /** Milliseconds between looks for what other processes queued or left behind. */
  readonly pace: number;
  /** Milliseconds for which stopping waits for what is under way before it breaks it off. */
  readonly patience: number;
}

/** Milliseconds before what is due and was just being changed by others is looked at again. */
const BREATH = 100;
/** Milliseconds between two looks for what a wrong clock put off. */
const MEND_PAUSE = 60_000;

/** Does jobs of the store; any number of processes may do so on the same data. */
export class JobWorkers {
  private readonly needs: JobWorkersNeeds;
  private readonly underWay = new Map<ClaimedJob, Promise<void>>();
  private readonly breakOff = new AbortController();
  private looking: Promise<void> | undefined;
  private isToLookAgain = false;
  private isOpen = false;
  private timer: NodeJS.Timeout | undefined;
  private stamp: Stamp | undefined;
  private dueAt: number | undefined;
  /** When moments were last mended; a clock that is put right is told by it. */
  private mendedAt = Number.NEGATIVE_INFINITY;
  private longLeases: readonly LongLease[] = [];
  /** Said once: a store that is away stays so for a while. */
  private isTroubled = false;

  constructor(needs: JobWorkersNeeds) {
    this.needs = needs;
  }

  /** From now on jobs are done; those that were left behind, at once. */
  start(): void {
    this.isOpen = true;
    this.wake();
  }

  /** To be called when a job may be due, such as after a commit that queued one. */
  wake(): void {
    this.isToLookAgain = true;
    if (!this.isOpen || this.looking) return;
    clearTimeout(this.timer);
    this.looking = this.look()
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        this.looking = undefined;
        if (this.isToLookAgain) this.wake();
        else this.rest();
      });
  }

  /** Begins nothing more; waits for what is under way, breaks off what takes too long and leaves it for later. */
  async stop(): Promise<void> {
    this.isOpen = false;
    clearTimeout(this.timer);
    await this.looking;
    const late = setTimeout(() => this.breakOff.abort(), this.needs.patience);
    await Promise.all(this.underWay.values());
    clearTimeout(late);
  }

  /** Claims and begins what is due until nothing more is, or all hands are full. */
  private async look(): Promise<void> {
    const { database, clock } = this.needs;
    while (this.isToLookAgain && this.isOpen) {
      this.isToLookAgain = false;
      await this.mend();
      this.stamp = await database.stamp();
      this.dueAt = await database.read((tx) => nextDue(tx, this.kindsWithRoom()));
      if (this.dueAt !== undefined && this.dueAt <= clock()) await this.claim();
      this.isTroubled = false;
    }
  }

  private async mend(): Promise<void> {
    const { database, clock, lease } = this.needs;
    const now = clock();
    if (!this.isMendDue(now)) return;
    const seen = now - this.mendedAt >= lease ? this.longLeases : [];
    this.longLeases = await mendMoments(database, { now, lease }, seen);
    this.mendedAt = now;
  }

  private isMendDue(now: number): boolean {
    return Math.abs(now - this.mendedAt) >= MEND_PAUSE;
  }

  private async claim(): Promise<void> {
    const { database, kinds, clock, lease } = this.needs;
    for (const handled of kinds) {
      const room = this.roomFor(handled);
      if (room === 0) continue;
      const claimed = await claimJobs(database, handled.kind, room, { now: clock(), lease });
      for (const job of claimed) this.begin(handled, job);
      if (claimed.length > 0) this.isToLookAgain = true;
    }
  }

  private begin({ handle }: HandledKind, claimed: ClaimedJob): void {
    const work = doJob(this.needs, handle, claimed, this.breakOff.signal)
      .catch((error: unknown) => this.log(error))
      .finally(() => {
        this.underWay.delete(claimed);
        this.wake();
      });
    this.underWay.set(claimed, work);
  }

  /** Sleeps until something is due, and at most until it is time to see what others have done. */
  private rest(): void {
    if (!this.isOpen) return;
    const { clock, pace } = this.needs;
    const pause = this.dueAt === undefined ? pace : Math.min(Math.max(this.dueAt - clock(), BREATH), pace);
    this.timer = setTimeout(() => void this.glance().catch((error: unknown) => this.restAfter(error)), pause);
  }

  /** Looks only when something is due or the store has changed, and now and then at all moments. */
  private async glance(): Promise<void> {
    const now = this.needs.clock();
    const isDue = (this.dueAt !== undefined && this.dueAt <= now) || this.isMendDue(now);
    if (isDue || (await this.needs.database.stamp()) !== this.stamp) this.wake();
    else this.rest();
  }

  private failed(error: unknown): void {
    this.dueAt = undefined;
    this.stamp = undefined;
    if (!this.isTroubled && !isToldAlready(error)) this.log(error);
    this.isTroubled = true;
  }

  private restAfter(error: unknown): void {
    this.failed(error);
    this.rest();
  }

  private log(error: unknown): void {
    const event: ServiceEvent = { event: 'error', during: 'deliveries', message: keptSentence(error) };
    this.needs.log(event);
  }

  private kindsWithRoom(): readonly JobKind[] {
    return this.needs.kinds.filter((handled) => this.roomFor(handled) > 0).map(({ kind }) => kind);
  }

  private roomFor({ kind, atOnce }: HandledKind): number {
    return atOnce - [...this.underWay.keys()].filter(({ job }) => job.kind === kind).length;
  }
}

/** Does one claimed job and writes down what came of it; when `breakOff` aborts it is left for later as it was. */
async function doJob(
  needs: JobWorkNeeds,
  handle: JobHandler,
  claimed: ClaimedJob,
  breakOff: AbortSignal,
): Promise<void> {
  const { database, clock } = needs;
  const lost = new AbortController();
  const over = new AbortController();
  const holding = hold(needs, claimed, lost, over.signal);
  try {
    await handle(claimed.job, AbortSignal.any([breakOff, lost.signal]));
  } catch (error) {
    if (breakOff.aborted) await freeJob(database, claimed);
    else if (error instanceof Postponement) await postponeJob(database, claimed, clock() + error.pause);
    else await failed(needs, claimed, error);
    return;
  } finally {
    over.abort();
    await holding;
  }
  await finishJob(database, claimed, clock());
}

/** Renews the lease while the work goes on, and breaks the work off when others have it now. */
async function hold(
  { database, clock, lease }: JobWorkNeeds,
  claimed: ClaimedJob,
  lost: AbortController,
  over: AbortSignal,
): Promise<void> {
  for (;;) {
    await wait(lease / 3, undefined, { signal: over }).catch(() => undefined);
    if (over.aborted) return;
    const isOurs = await renewLease(database, claimed, { now: clock(), lease }).catch(() => true);
    if (!isOurs) return lost.abort();
  }
}

async function failed(needs: JobWorkNeeds, claimed: ClaimedJob, error: unknown): Promise<void> {
  const { database, clock, random, log } = needs;
  const { kind, key, deliveryId, queuedAt } = claimed.job;
  const now = clock();
  const failures = claimed.failures + 1;
  const failingSince = claimed.failingSince ?? now;
  const { isFinal = false, restFor = 0 } = error instanceof DeliveryFailure ? error : {};
  const dueAt = isFinal ? 'parked' : nextAttempt({ now, failures, failingSince, queuedAt, restFor }, random());
  const sentence = keptSentence(error);
  if (!(await failJob(database, claimed, { sentence, now, failingSince, dueAt }))) return;
  const told = { kind, key, delivery: deliveryId, failures, message: sentence };
  if (dueAt === 'parked') log({ event: 'deliveryParked', ...told });
  else log({ event: 'deliveryFailed', ...told, again: new Date(dueAt).toISOString() });
}

/** The same store, which says so at once when a job was committed through it. */
export function wakingDatabase(database: Database, wake: () => void): Database {
  return {
    ...database,
    write: async (work, caller) => {
      let last: Tx | undefined;
      const result = await database.write((tx) => {
        last = tx;
        return work(tx);
      }, caller);
      if (last && hasJobs(last)) wake();
      return result;
    },
  };
}
