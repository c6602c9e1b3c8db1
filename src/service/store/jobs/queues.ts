import type { Tx } from '../database.ts';
import { openQueue, tellOfDue } from './addJob.ts';
import type { JobKind, QueueName } from './job.ts';

/** A job that is not done, as it is listed. */
export interface WaitingJob {
  readonly id: number;
  readonly kind: JobKind;
  /** Whose order is kept: the project of a web hook, or the message. */
  readonly key: string;
  readonly deliveryId: string;
  readonly queuedAt: number;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly parkedAt: number | null;
  /** When its queue is due; null when it is parked. */
  readonly dueAt: number | null;
}

/** Everything that waits or is parked, oldest first. */
export async function waitingJobs(tx: Tx): Promise<readonly WaitingJob[]> {
  const rows = await tx
    .selectFrom('jobs')
    .leftJoin('queues', (join) => join.onRef('queues.kind', '=', 'jobs.kind').onRef('queues.key', '=', 'jobs.key'))
    .select([
      'jobs.id',
      'jobs.kind',
      'jobs.key',
      'deliveryId',
      'queuedAt',
      'attempts',
      'lastError',
      'parkedAt',
      'dueAt',
    ])
    .orderBy('jobs.id')
    .execute();
  return rows.map((row) => (row.parkedAt === null ? row : { ...row, dueAt: null }));
}

/** Gives the first job of a queue, if there is one, its turn now and a day from now on. */
export async function retryQueue(tx: Tx, { kind, key }: QueueName, now: number): Promise<void> {
  await tx
    .updateTable('queues')
    .set({ dueAt: now, failures: 0, failingSince: null })
    .where('kind', '=', kind)
    .where('key', '=', key)
    .execute();
  tellOfDue(tx);
}

/** Has a job, or all, done from now on as if new, in the old order; tells how many there were. */
export async function retryJobs(tx: Tx, id: number | 'all', now: number): Promise<number> {
  const all = tx.updateTable('jobs').set({ parkedAt: null }).returning(['kind', 'key']);
  const queues = await (id === 'all' ? all : all.where('id', '=', id)).execute();
  for (const queue of distinct(queues)) {
    await openQueue(tx, queue, now);
    await retryQueue(tx, queue, now);
  }
  return queues.length;
}

/** Forgets a job, or all that are parked, and gives the next of its queue its turn; one that is under way may still be done. */
export async function discardJobs(tx: Tx, id: number | 'allParked', now: number): Promise<number> {
  const all = tx.deleteFrom('jobs').returning(['kind', 'key']);
  const queues = await (id === 'allParked'
    ? all.where('parkedAt', 'is not', null)
    : all.where('id', '=', id)
  ).execute();
  for (const queue of distinct(queues)) await retryQueue(tx, queue, now);
  return queues.length;
}

/** Forgets a queue with all that waits or is parked in it. */
export async function discardQueue(tx: Tx, { kind, key }: QueueName): Promise<void> {
  await tx.deleteFrom('jobs').where('kind', '=', kind).where('key', '=', key).execute();
  await tx.deleteFrom('queues').where('kind', '=', kind).where('key', '=', key).execute();
}

function distinct(queues: readonly QueueName[]): readonly QueueName[] {
  return [...new Map(queues.map((queue) => [`${queue.kind} ${queue.key}`, queue])).values()];
}
