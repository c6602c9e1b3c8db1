import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';

/** What is counted by the hour. */
export type CountedUse = Schema['recentUses']['kind'];

/** Milliseconds. */
const HOUR = 60 * 60 * 1000;

/**
 * Counts one use of a user, of which there may be so many an hour, and gives 0; or seconds to wait where there were as many. All
 * processes count together, whose clocks may differ: a use of the near future counts as of now, and one of the far future is none.
 */
export async function countUse(tx: Tx, userId: number, kind: CountedUse, most: number, now: number): Promise<number> {
  await holdUser(tx, userId);
  await tx
    .deleteFrom('recentUses')
    .where('userId', '=', userId)
    .where((where) => where.or([where('at', '<=', now - HOUR), where('at', '>', now + HOUR)]))
    .execute();
  const uses = await tx
    .selectFrom('recentUses')
    .select('at')
    .where('userId', '=', userId)
    .where('kind', '=', kind)
    .orderBy('at', 'desc')
    .limit(most)
    .execute();
  const first = uses.at(-1);
  if (first && uses.length === most) return Math.ceil((Math.min(first.at, now) + HOUR - now) / 1000);
  await tx.insertInto('recentUses').values({ userId, kind, at: now }).execute();
  return 0;
}

/** Of two transactions of one user, the second waits here until the first has ended, and then counts what it did. */
async function holdUser(tx: Tx, userId: number): Promise<void> {
  await tx
    .updateTable('users')
    .set((column) => ({ initials: column.ref('initials') }))
    .where('id', '=', userId)
    .execute();
}
