import { randomUUID } from 'node:crypto';
import type { Database, Tx } from '../database.ts';
import type { Job, JobKind } from './job.ts';
import { closeQueue, firstJob, queueRow } from './queueRow.ts';

/** The first job of a queue that is ours until the lease ends. */
export interface ClaimedJob {
  readonly job: Job;
  /** Unlike that of any other claim, so that whoever lost a lease changes nothing any more. */
  readonly leaseOwner: string;
  readonly failures: number;
  /** Without the time in which nobody was there to try it, so that a day of attempts is one. */
  readonly failingSince: number | null;
}

export interface LeaseTimes {
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

/** Milliseconds; also for what a receiver asks for. */
export const LONGEST_PAUSE = 60 * 60 * 1000;

/** Milliseconds for which a queue that was due at a moment was not tried since nobody was there: services stop, machines sleep. */
export function missedTime(dueAt: number, now: number): number {
  const late = now - dueAt;
  return late > LONGEST_PAUSE ? late : 0;
}
