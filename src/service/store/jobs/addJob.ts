import { randomUUID } from 'node:crypto';
import type { Tx } from '../database.ts';
import type { NewJob, QueueName } from './job.ts';

const withJobs = new WeakSet<Tx>();

/** Queues a job in the transaction of the change that it tells of; workers see it once that is committed and it is due. */
export async function addJob(tx: Tx, { kind, key, payload }: NewJob, now: number, dueAt = now): Promise<void> {
  await tx
    .insertInto('jobs')
    .values({ kind, key, payload: JSON.stringify(payload), deliveryId: randomUUID(), queuedAt: now, attempts: 0 })
    .execute();
  await openQueue(tx, { kind, key }, dueAt);
}

/** Makes a queue due unless it is already waiting for its time. */
export async function openQueue(tx: Tx, { kind, key }: QueueName, dueAt: number): Promise<void> {
  await tx
    .insertInto('queues')
    .values({ kind, key, dueAt, leaseEnd: 0, failures: 0 })
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet(({ ref }) => ({ dueAt: ref('queues.dueAt') })),
    )
    .execute();
  tellOfDue(tx);
}

/** To be said in a transaction that makes a queue due in another way. */
export function tellOfDue(tx: Tx): void {
  withJobs.add(tx);
}

/** Whether the transaction queued anything, or made something due. */
export function hasJobs(tx: Tx): boolean {
  return withJobs.has(tx);
}
