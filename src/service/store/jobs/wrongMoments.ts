import type { ExpressionBuilder } from 'kysely';
import { CLOCK_SKEW } from '../../ground/moments.ts';
import type { Database } from '../database.ts';
import type { Schema } from '../schema.ts';
import { type LeaseTimes, LONGEST_PAUSE } from './claimedJobs.ts';
import type { QueueName } from './job.ts';
import { queueRow } from './queues.ts';

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
