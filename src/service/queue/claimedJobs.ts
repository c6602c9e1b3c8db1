import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '../store/database.ts';
import type { Job, JobKind, QueueName } from './job.ts';

/** Milliseconds after which others may take what a process held that has said nothing more. */
export const LEASE = 15_000;

/** The first job of a queue that is ours until the lease ends. */
export interface ClaimedJob {
  readonly job: Job;
  /** Unlike that of any other claim, so that whoever lost a lease changes nothing any more. */
  readonly leaseOwner: string;
  readonly failures: number;
  readonly failingSince: number | null;
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
  now: number,
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
    for (const { key, failures, failingSince } of queues) {
      const job = await firstJob(tx, { kind, key });
      const leaseOwner = randomUUID();
      if (!job) await closeQueue(tx, { kind, key });
      else
        await queueRow(tx, job)
          .set({ leaseOwner, leaseEnd: now + LEASE })
          .execute();
      if (job) claimed.push({ job, leaseOwner, failures, failingSince });
    }
    return claimed;
  });
}

/** Holds a claim for longer; false when it was lost. */
export function renewLease({ write }: Database, claimed: ClaimedJob, now: number): Promise<boolean> {
  return write((tx) => holdQueue(tx, claimed, { leaseEnd: now + LEASE }));
}

/** Gives a claim back as it was. */
export function freeJob({ write }: Database, claimed: ClaimedJob): Promise<boolean> {
  return write((tx) => holdQueue(tx, claimed, FREE));
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

/** The job failed: the queue waits, or the job is parked and the next one of the queue is due. */
export function failJob({ write }: Database, claimed: ClaimedJob, failure: Failure): Promise<boolean> {
  const { sentence, now, failingSince, dueAt } = failure;
  const isParked = dueAt === 'parked';
  return write(async (tx) => {
    const failures = claimed.failures + 1;
    const isOurs = await holdQueue(tx, claimed, { ...FREE, dueAt: isParked ? now : dueAt, failures, failingSince });
    if (!isOurs) return false;
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

const FREE = { leaseOwner: null, leaseEnd: 0 };

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

interface QueueChange {
  readonly leaseOwner?: string | null;
  readonly leaseEnd?: number;
  readonly dueAt?: number;
  readonly failures?: number;
  readonly failingSince?: number | null;
}

function queueRow(tx: Tx, { kind, key }: QueueName) {
  return tx.updateTable('queues').where('kind', '=', kind).where('key', '=', key);
}

async function closeQueue(tx: Tx, { kind, key }: QueueName): Promise<void> {
  await tx.deleteFrom('queues').where('kind', '=', kind).where('key', '=', key).execute();
}

async function firstJob(tx: Tx, { kind, key }: QueueName): Promise<Job | undefined> {
  const row = await tx
    .selectFrom('jobs')
    .select(['id', 'deliveryId', 'payload', 'queuedAt', 'attempts'])
    .where('kind', '=', kind)
    .where('key', '=', key)
    .where('parkedAt', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, kind, key, payload: JSON.parse(row.payload) };
}
