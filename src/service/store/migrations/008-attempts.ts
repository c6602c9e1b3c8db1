import type { Tx } from '../database.ts';

/** Finds the failed sign-ins that are over, with each attempt, however many there are. */
export async function attempts(db: Tx): Promise<void> {
  await db.schema.createIndex('signInFailuresByLast').on('signInFailures').columns(['last']).execute();
}
