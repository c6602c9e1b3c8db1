import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Tx } from '../database.ts';
import type { Schema } from '../schema.ts';

/** What is counted by the hour. */
type CountedUse = Schema['recentUses']['kind'];

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

const WINDOW = 15 * 60_000;
const FREE_FAILURES = 5;
/** Names too long to be anyone's are not kept as they are, and what was typed may be a password. */
const keyOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/**
 * Slows guessing: after some failures each further one doubles the wait. Counts an attempt as a failure under every key, before it
 * is tried, and gives 0; or seconds to wait, when one of them may not try yet. All processes on the data count together, whose
 * clocks may differ, or be put right: a failure of the near future is made one of now, and one of the far future is none.
 */
export async function countAttempt(database: Database, keys: readonly string[], now: number): Promise<number> {
  return database.write(async (tx) => {
    const hashes = keys.map(keyOf).sort(); // In one order, so that two attempts do not wait for each other.
    await tx
      .deleteFrom('signInFailures')
      .where((where) => where.or([where('last', '<', now - WINDOW), where('last', '>', now + WINDOW)]))
      .execute();
    await tx.updateTable('signInFailures').set({ last: now }).where('last', '>', now).execute();
    const known = await tx.selectFrom('signInFailures').selectAll().where('key', 'in', hashes).execute();
    const wait = Math.max(0, ...known.map(({ count, last }) => pauseAfter(count) - (now - last)));
    if (wait > 0) return Math.ceil(wait / 1000);
    for (const key of hashes) await addFailure(tx, key, now);
    return 0;
  });
}

/** Takes the failure of an attempt back that turned out right. */
export async function attemptSucceeded(database: Database, keys: readonly string[]): Promise<void> {
  await database.write(async (tx) => {
    for (const key of keys.map(keyOf).sort()) {
      await tx
        .updateTable('signInFailures')
        .set((column) => ({ count: column('count', '-', 1) }))
        .where('key', '=', key)
        .execute();
    }
    await tx.deleteFrom('signInFailures').where('count', '<', 1).execute();
  });
}

/** Milliseconds. */
function pauseAfter(failures: number): number {
  const excess = failures - FREE_FAILURES;
  return excess < 0 ? 0 : Math.min(2 ** excess * 1000, WINDOW);
}

async function addFailure(tx: Tx, key: string, now: number): Promise<void> {
  await tx
    .insertInto('signInFailures')
    .values({ key, count: 1, last: now })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({ count: sql<number>`${sql.ref('signInFailures.count')} + 1`, last: now }),
    )
    .execute();
}
