import type { Database, Tx } from '../database.ts';
import type { ClaimedJob, LeaseTimes } from './claimedJobs.ts';
import { closeQueue, firstJob, queueRow } from './queueRow.ts';

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

export interface Failure {
  readonly sentence: string;
  readonly now: number;
  readonly failingSince: number;
  readonly dueAt: number | 'parked';
}

/**
 * The job failed: the queue waits, unless somebody asked meanwhile to try it again at once, or the job is parked and the next one of
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
