import { randomUUID } from 'node:crypto';
import type { RawBuilder } from 'kysely';
import type { Tx } from '../database.ts';
import type { JobKind } from '../schema.ts';
import type { TransactionEnd } from '../transactionEnd.ts';

/** A queue keeps the order of what is in it: its next job is not begun before the one ahead is done or parked. */
export interface QueueName {
  readonly kind: JobKind;
  /** What is to keep its order: the id of the project for web hooks; of its own for each message. */
  readonly key: string;
}

interface NewJob extends QueueName {
  /** What the handler of the kind needs to know, as JSON. Kept until done: name secrets, do not put them here. */
  readonly payload: unknown;
}

/** A job in the hands of its handler. */
export interface Job extends NewJob {
  readonly id: number;
  /** The same at every attempt, so that a receiver can tell what it has had already. */
  readonly deliveryId: string;
  /** Milliseconds since the epoch. */
  readonly queuedAt: number;
  /** How often it was attempted before. */
  readonly attempts: number;
}

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

const withJobs = new WeakSet<Tx>();

/** Queues a job in the transaction of the change that it tells of; workers see it once that is committed and it is due. */
export async function addJob(tx: Tx, { kind, key, payload }: NewJob, now: number, dueAt = now): Promise<void> {
  await insertedJob(tx, { kind, key }, JSON.stringify(payload), now).execute();
  await openQueue(tx, { kind, key }, dueAt);
}

/** The same at the end of the transaction, where that is when it is known what the job needs to know: SQL that gives JSON. */
export async function addJobAtEnd(
  tx: Tx,
  end: TransactionEnd,
  { kind, key, payload }: QueueName & { readonly payload: RawBuilder<string> },
  now: number,
): Promise<void> {
  await openQueue(tx, { kind, key }, now);
  end.add(insertedJob(tx, { kind, key }, payload, now).compile());
}

function insertedJob(tx: Tx, { kind, key }: QueueName, payload: string | RawBuilder<string>, now: number) {
  return tx.insertInto('jobs').values({ kind, key, payload, deliveryId: randomUUID(), queuedAt: now, attempts: 0 });
}

/** Makes a queue due unless it is already waiting for its time. */
async function openQueue(tx: Tx, { kind, key }: QueueName, dueAt: number): Promise<void> {
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
function tellOfDue(tx: Tx): void {
  withJobs.add(tx);
}

/** Whether the transaction queued anything, or made something due. */
export function hasJobs(tx: Tx): boolean {
  return withJobs.has(tx);
}

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

/** How many jobs of a kind there are. */
export interface JobCount {
  readonly kind: JobKind;
  readonly waiting: number;
  readonly parked: number;
  /** Milliseconds since the oldest that waits was queued; 0 where none does. */
  readonly oldest: number;
}

/** How many jobs there are of each kind of which there is any. */
export async function countJobs(tx: Tx, now: number): Promise<readonly JobCount[]> {
  const rows = await tx
    .selectFrom('jobs')
    .select(({ fn, eb }) => [
      'kind',
      fn.countAll<number | string>().as('all'),
      fn.count<number | string>('parkedAt').as('parked'),
      fn.min(eb.case().when('parkedAt', 'is', null).then(eb.ref('queuedAt')).end()).as('oldest'),
    ])
    .groupBy('kind')
    .execute();
  return rows.map(({ kind, all, parked, oldest }) => ({
    kind,
    waiting: Number(all) - Number(parked),
    parked: Number(parked),
    oldest: oldest === null ? 0 : Math.max(now - Number(oldest), 0),
  }));
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
