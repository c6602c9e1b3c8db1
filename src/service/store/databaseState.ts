import { randomUUID } from 'node:crypto';
import { counterValue, VERSION_LEAP } from './counters.ts';
import type { Database, Tx } from './database.ts';
import { sharedSecret } from './secrets.ts';

/** Up to where a database had come at some time. */
export interface DatabaseMark {
  /** Random, made once, and the same in every copy. */
  readonly database: string;
  /** Of the newest activity. */
  readonly version: number;
  /** When that activity occurred; null when it was removed with its project. Two databases that were one differ in it. */
  readonly occurredAt: number | null;
}

/** Which database this is; made at the first call. */
export function databaseId(database: Database): Promise<string> {
  return sharedSecret(database, 'databaseId', randomUUID);
}

/** How far this database has come. */
export async function markOf(tx: Tx, database: string): Promise<DatabaseMark> {
  const version = (await counterValue(tx, 'activityVersion')) ?? 0;
  return { database, version, occurredAt: await occurredAt(tx, version) };
}

/**
 * Whether this database has been where the mark was made: not one that was set back to before it, whatever was added since. That went on
 * with other activities, or above a gap (see `nextActivityVersion`); a small gap is left by projects that were removed.
 */
export async function isBeyond(tx: Tx, mark: DatabaseMark): Promise<boolean> {
  if (((await counterValue(tx, 'activityVersion')) ?? 0) < mark.version) return false;
  if (mark.version === 0) return true;
  const next = await tx
    .selectFrom('activities')
    .select(['version', 'occurredAt'])
    .where('version', '>=', mark.version)
    .orderBy('version')
    .limit(1)
    .executeTakeFirst();
  if (!next) return true;
  if (next.version > mark.version) return next.version - mark.version < VERSION_LEAP / 2;
  return mark.occurredAt === null || mark.occurredAt === next.occurredAt;
}

async function occurredAt(tx: Tx, version: number): Promise<number | null> {
  const row = await tx.selectFrom('activities').select('occurredAt').where('version', '=', version).executeTakeFirst();
  return row?.occurredAt ?? null;
}
