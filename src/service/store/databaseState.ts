import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { counterValue, VERSION_LEAP } from './counters.ts';
import type { Database, Tx } from './database.ts';
import { keepSecret, secretOf, sharedSecret } from './secrets.ts';

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

const SERVER_SIZE = sql<{ bytes: number | string }>`select pg_database_size(current_database()) as bytes`;
const FILE_SIZE = sql<{
  bytes: number;
}>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;

/** Bytes that the database takes; `isServer` whether it is one in a server. */
export async function storedBytes(tx: Tx, isServer: boolean): Promise<number> {
  const { rows } = await (isServer ? SERVER_SIZE : FILE_SIZE).execute(tx);
  return Number(rows[0]?.bytes ?? 0);
}

/** Under which name it is kept. */
export const SERVED_AT = 'servedAt';

/** Notes by which address people reach the service, for commands that print addresses. Writes only where it is another one. */
export async function noteServedAddress(database: Database, url: string): Promise<void> {
  const known = await database.read((tx) => secretOf(tx, SERVED_AT));
  if (known !== url) await database.write((tx) => keepSecret(tx, SERVED_AT, url));
}
