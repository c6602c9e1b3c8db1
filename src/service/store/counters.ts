import { sql } from 'kysely';
import type { Tx } from './database.ts';

/**
 * The next activity version. One row for the whole service, locked until the transaction ends, so that versions become
 * visible in rising order whatever process writes them (protocol.md, Activity `version`).
 */
export async function nextActivityVersion(tx: Tx): Promise<number> {
  const row = await tx
    .insertInto('counters')
    .values({ name: 'activityVersion', value: 1 })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: sql<number>`counters.value + 1` }))
    .returning('value')
    .executeTakeFirstOrThrow();
  return row.value;
}

export async function counterValue(tx: Tx, name: string): Promise<number | undefined> {
  const row = await tx.selectFrom('counters').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Adds the counter where it is not there. */
export async function setCounter(tx: Tx, name: string, value: number): Promise<void> {
  await tx
    .insertInto('counters')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function addCounter(tx: Tx, name: string, value: number): Promise<void> {
  await tx.insertInto('counters').values({ name, value }).execute();
}
