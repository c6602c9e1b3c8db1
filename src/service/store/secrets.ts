import type { Tx } from './database.ts';

/** A value that all processes on this data share; `make` is used when there is none yet. */
export async function sharedSecret(tx: Tx, name: string, make: () => string): Promise<string> {
  await tx
    .insertInto('secrets')
    .values({ name, value: make() })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  const row = await tx.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}
