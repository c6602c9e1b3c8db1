import { randomUUID } from 'node:crypto';
import type { ExpressionBuilder } from 'kysely';
import { LONGEST_PAUSE, missedTime } from '../../ground/deliveryTimes.ts';
import { CLOCK_SKEW } from '../../ground/moments.ts';
import type { Database, Tx } from '../database.ts';
import type { JobKind, Schema } from '../schema.ts';
import { closeQueue, firstJob, type Job, type QueueName, queueRow } from './queues.ts';

/** The first job of a queue that is ours until the lease ends. */
export interface ClaimedJob {
  readonly job: Job;
  /** Unlike that of any other claim, so that whoever lost a lease changes nothing any more. */
  readonly leaseOwner: string;
  readonly failures: number;
  /** Without the time in which nobody was there to try it, so that a day of attempts is one. */
  readonly failingSince: number | null;
}

interface LeaseTimes {
  readonly now: number;
  /** Milliseconds after which others may take what a process held that has said nothing more. */
  readonly lease: number;
}

/** When the next queue of these kinds may be claimed; undefined when nothing waits. */
export async function nextDue(tx: Tx, kinds: readonly JobKind[]): Promise<number | undefined> {
  if (kinds.length === 0) return undefined;
  const row = await tx
    .selectFrom('queues')
    .select(({ fn, case: when, ref }) =>
      fn
        .min<number | null>(when().when('dueAt', '<', ref('leaseEnd')).then(ref('leaseEnd')).else(ref('dueAt')).end())
        .as('due'),
    )
    .where('kind', 'in', [...kinds])
    .executeTakeFirst();
  return row?.due ?? undefined;
}

/** Takes up to `limit` queues that are due, those that have waited longest first. What others hold or are just changing is passed over. */
export function claimJobs(
  { write, locksRows }: Database,
  kind: JobKind,
  limit: number,
  { now, lease }: LeaseTimes,
): Promise<readonly ClaimedJob[]> {
  return write(async (tx) => {
    const due = tx
      .selectFrom('queues')
      .selectAll()
      .where('kind', '=', kind)
      .where('dueAt', '<=', now)
      .where('leaseEnd', '<=', now)
      .orderBy('dueAt')
      .limit(limit);
    const queues = await (locksRows ? due.forUpdate().skipLocked() : due).execute();
    const claimed: ClaimedJob[] = [];
    for (const { key, failures, dueAt, leaseEnd, ...queue } of queues) {
      const missed = missedTime(Math.max(dueAt, leaseEnd), now);
      const failingSince = queue.failingSince === null ? null : queue.failingSince + missed;
      const job = await firstJob(tx, { kind, key });
      const leaseOwner = randomUUID();
      if (!job) await closeQueue(tx, { kind, key });
      else
        await queueRow(tx, job)
          .set({ leaseOwner, leaseEnd: now + lease })
          .execute();
      if (job) claimed.push({ job, leaseOwner, failures, failingSince });
    }
    return claimed;
  });
}

const FREE = { leaseOwner: null, leaseEnd: 0 };

/** Holds a claim for longer; false when it was lost. */
export function renewLease({ write }: Database, claimed: ClaimedJob, { now, lease }: LeaseTimes): Promise<boolean> {
  return write((tx) => holdQueue(tx, claimed, { leaseEnd: now + lease }));
}

/** Gives a claim back as it was. */
export function freeJob({ write }: Database, claimed: ClaimedJob): Promise<boolean> {
  return write((tx) => holdQueue(tx, claimed, FREE));
}

/** Gives a claim back, to be taken again from then on. */
export function postponeJob({ write }: Database, claimed: ClaimedJob, dueAt: number): Promise<boolean> {
  return write((tx) => holdQueue(tx, claimed, { ...FREE, dueAt }));
}

/** The job is done; the next one of its queue is due. Nothing happens to a claim that was lost. */
export function finishJob({ write }: Database, claimed: ClaimedJob, now: number): Promise<boolean> {
  return write(async (tx) => {
    const isOurs = await holdQueue(tx, claimed, { ...FREE, dueAt: now, failures: 0, failingSince: null });
    if (!isOurs) return false;
    await tx.deleteFrom('jobs').where('id', '=', claimed.job.id).execute();
    if (!(await firstJob(tx, claimed.job))) await closeQueue(tx, claimed.job);
    return true;
  });
}

interface Failure {
  readonly sentence: string;
  readonly now: number;
  readonly failingSince: number;
  readonly dueAt: number | 'parked';
}

/**
 * The job failed: the queue waits, unless someone asked in the meantime to try it again at once, or the job is parked and the next one of
 * the queue is due.
 */
export function failJob({ write }: Database, claimed: ClaimedJob, failure: Failure): Promise<boolean> {
  const { sentence, now, failingSince, dueAt } = failure;
  const isParked = dueAt === 'parked';
  return write(async (tx) => {
    if (!(await holdQueue(tx, claimed, FREE))) return false;
    if (isParked || !(await isAskedForAnew(tx, claimed))) {
      const failures = claimed.failures + 1;
      await queueRow(tx, claimed.job)
        .set({ dueAt: isParked ? now : dueAt, failures, failingSince })
        .execute();
    }
    await tx
      .updateTable('jobs')
      .set((column) => ({
        attempts: column('attempts', '+', 1),
        lastError: sentence,
        ...(isParked && { parkedAt: now }),
      }))
      .where('id', '=', claimed.job.id)
      .execute();
    if (isParked && !(await firstJob(tx, claimed.job))) await closeQueue(tx, claimed.job);
    return true;
  });
}

/**
 * Changes a queue that is still ours, and locks it until the transaction ends: whoever adds a job to it either is seen by what
 * follows or opens the queue anew afterwards.
 */
async function holdQueue(tx: Tx, { job, leaseOwner }: ClaimedJob, change: QueueChange): Promise<boolean> {
  const { numUpdatedRows } = await queueRow(tx, job)
    .where('leaseOwner', '=', leaseOwner)
    .set(change)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Whether `retryQueue` began the queue anew since it was claimed; a first failure waits for a second only, and needs no asking. */
async function isAskedForAnew(tx: Tx, { job: { kind, key }, failures }: ClaimedJob): Promise<boolean> {
  const queue = tx.selectFrom('queues').select('failures').where('kind', '=', kind).where('key', '=', key);
  return (await queue.executeTakeFirst())?.failures !== failures;
}

interface QueueChange {
  readonly leaseOwner?: string | null;
  readonly leaseEnd?: number;
  readonly dueAt?: number;
  readonly failures?: number;
  readonly failingSince?: number | null;
}

const DAY = 24 * 60 * 60 * 1000;

/** Of a queue whose lease is longer than any: a process that lives renews it by a clock that is right again, or still ahead. */
export interface LongLease extends QueueName {
  readonly leaseOwner: string | null;
  readonly leaseEnd: number;
}

/**
 * Makes queues due that were put off by a clock that was ahead: those that wait for longer than anything does, and those whose first
 * job was queued at a moment that is yet to come. Ends those of the long leases that were `seen` a lease ago and are as they were, and
 * gives those that there are now. Nothing is written where nothing is wrong.
 */
export async function mendMoments(
  { read, write }: Database,
  { now, lease }: LeaseTimes,
  seen: readonly LongLease[],
): Promise<readonly LongLease[]> {
  const { isAnyPutOff, longLeases } = await read(async (tx) => ({
    isAnyPutOff:
      (await tx.selectFrom('queues').select('key').where(isPutOff(now)).limit(1).executeTakeFirst()) !== undefined,
    longLeases: await tx
      .selectFrom('queues')
      .select(['kind', 'key', 'leaseOwner', 'leaseEnd'])
      .where('leaseEnd', '>', now + lease + CLOCK_SKEW)
      .execute(),
  }));
  const abandoned = longLeases.filter((one) =>
    seen.some(({ leaseOwner, leaseEnd }) => leaseOwner === one.leaseOwner && leaseEnd === one.leaseEnd),
  );
  if (!isAnyPutOff && abandoned.length === 0) return longLeases;
  await write(async (tx) => {
    await tx.updateTable('queues').set({ dueAt: now }).where(isPutOff(now)).execute();
    for (const queue of abandoned) {
      await queueRow(tx, queue)
        .set({ leaseOwner: null, leaseEnd: 0 })
        .where('leaseOwner', '=', queue.leaseOwner)
        .where('leaseEnd', '=', queue.leaseEnd)
        .execute();
    }
  });
  return longLeases;
}

/** A queue that has not failed waits for its turn, a mail for a day at most; one that has, for a pause. */
function isPutOff(now: number) {
  return (where: ExpressionBuilder<Schema, 'queues'>) => {
    const soonest = now + CLOCK_SKEW;
    const wasQueuedLater = where.exists(
      where
        .selectFrom('jobs')
        .select('jobs.id')
        .whereRef('jobs.kind', '=', 'queues.kind')
        .whereRef('jobs.key', '=', 'queues.key')
        .where('jobs.queuedAt', '>', soonest),
    );
    return where.and([
      where('dueAt', '>', soonest),
      where.or([
        where('dueAt', '>', now + DAY),
        where.and([where('failures', '>', 0), where('dueAt', '>', now + LONGEST_PAUSE)]),
        where.and([where('failures', '=', 0), where('kind', '=', 'web_hook')]),
        wasQueuedLater,
      ]),
    ]);
  };
}
