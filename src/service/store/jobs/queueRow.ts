import type { Tx } from '../database.ts';
import type { Job, QueueName } from './job.ts';

/** The row of a queue, to be changed. */
export function queueRow(tx: Tx, { kind, key }: QueueName) {
  return tx.updateTable('queues').where('kind', '=', kind).where('key', '=', key);
}

/** For a queue in which nothing waits; whoever adds to it opens it anew. */
export async function closeQueue(tx: Tx, { kind, key }: QueueName): Promise<void> {
  await tx.deleteFrom('queues').where('kind', '=', kind).where('key', '=', key).execute();
}

/** The next job of a queue. */
export async function firstJob(tx: Tx, { kind, key }: QueueName): Promise<Job | undefined> {
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
