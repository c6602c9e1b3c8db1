import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Tx } from '../database.ts';
import type { Schema } from '../schema.ts';
import { holdUser } from './users.ts';

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

const WINDOW = 15 * 60_000;
const FREE_FAILURES = 5;
/** Names too long to be anyone's are not kept as they are, and what was typed may be a password. */
const keyOf = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** An attempt to sign in. */
export interface Attempt {
  /** What it is counted under. */
  readonly keys: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Slows guessing: after some failures each further one doubles the wait. Counts each attempt as a failure under every one of its keys,
 * before it is tried, one after the other, and gives 0 for it; or seconds to wait, when one of them may not try yet. All processes on
 * the data count together, whose clocks may differ, or be put right: a failure of the near future is made one of now, and one of the far
 * future is none.
 */
export async function countAttempts(database: Database, attempts: readonly Attempt[]): Promise<readonly number[]> {
  const now = Math.max(...attempts.map((attempt) => attempt.now));
  const hashed = attempts.map(({ keys }) => keys.map(keyOf));
  return database.write(async (tx) => {
    const hashes = [...new Set(hashed.flat())];
    await tx
      .deleteFrom('signInFailures')
      .where((where) => where.or([where('last', '<', now - WINDOW), where('last', '>', now + WINDOW)]))
      .execute();
    await tx.updateTable('signInFailures').set({ last: now }).where('last', '>', now).execute();
    const known = await tx.selectFrom('signInFailures').selectAll().where('key', 'in', hashes).execute();
    const tally = new Tally(known, now);
    const waits = hashed.map((keys) => tally.count(keys));
    await addFailures(tx, tally.added, now);
    return waits;
  });
}

type Failures = Schema['signInFailures'];

/** Failures by key, to which attempts of this moment are added. */
class Tally {
  readonly added = new Map<string, number>();
  private readonly known: Map<string, Failures>;
  private readonly now: number;

  constructor(known: readonly Failures[], now: number) {
    this.known = new Map(known.map((failures) => [failures.key, failures]));
    this.now = now;
  }

  /** Seconds for which an attempt has to wait; it is counted when that is 0. */
  count(keys: readonly string[]): number {
    const wait = Math.max(0, ...keys.map((key) => this.pauseOf(key)));
    if (wait > 0) return Math.ceil(wait / 1000);
    for (const key of keys) {
      this.known.set(key, { key, count: (this.known.get(key)?.count ?? 0) + 1, last: this.now });
      this.added.set(key, (this.added.get(key) ?? 0) + 1);
    }
    return 0;
  }

  private pauseOf(key: string): number {
    const failures = this.known.get(key);
    return failures ? pauseAfter(failures.count) - (this.now - failures.last) : 0;
  }
}

/** Takes the failure of an attempt back that turned out right. */
export async function attemptSucceeded(database: Database, keys: readonly string[]): Promise<void> {
  await database.write(async (tx) => {
    const hashes = keys.map(keyOf).sort(); // In one order, so that two attempts do not wait for each other.
    for (const key of hashes) {
      await tx
        .updateTable('signInFailures')
        .set((column) => ({ count: column('count', '-', 1) }))
        .where('key', '=', key)
        .execute();
    }
    await tx.deleteFrom('signInFailures').where('key', 'in', hashes).where('count', '<', 1).execute();
  });
}

/** Milliseconds. */
function pauseAfter(failures: number): number {
  const excess = failures - FREE_FAILURES;
  return excess < 0 ? 0 : Math.min(2 ** excess * 1000, WINDOW);
}

/** In one order, so that two transactions do not wait for each other. */
async function addFailures(tx: Tx, added: ReadonlyMap<string, number>, now: number): Promise<void> {
  if (added.size === 0) return;
  const rows = [...added]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, count]) => ({ key, count, last: now }));
  const sum = sql<number>`${sql.ref('signInFailures.count')} + ${sql.ref('excluded.count')}`;
  await tx
    .insertInto('signInFailures')
    .values(rows)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ count: sum, last: now }))
    .execute();
}
