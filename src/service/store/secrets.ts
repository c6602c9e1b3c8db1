import type { Database, Tx } from './database.ts';

export async function secretOf(tx: Tx, name: string): Promise<string | undefined> {
  const row = await tx.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

/** Whether there is one, which is not read for it. */
export async function hasSecret(tx: Tx, name: string): Promise<boolean> {
  const row = await tx.selectFrom('secrets').select('name').where('name', '=', name).executeTakeFirst();
  return row !== undefined;
}

export async function keepSecret(tx: Tx, name: string, value: string): Promise<void> {
  await tx
    .insertInto('secrets')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}

export async function dropSecret(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('secrets').where('name', '=', name).execute();
}

/** A value that all processes on this data share; `make` is used when there is none yet, and only then is anything written. */
export async function sharedSecret(database: Database, name: string, make: () => string): Promise<string> {
  const known = await database.read((tx) => secretOf(tx, name));
  return known ?? database.write((tx) => madeSecret(tx, name, make));
}

/** What is there already wins: several processes may start at the same time. */
async function madeSecret(tx: Tx, name: string, make: () => string): Promise<string> {
  await tx
    .insertInto('secrets')
    .values({ name, value: make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await tx.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}
