import type { DatabaseSync } from 'node:sqlite';
import type { ReplicaAccount } from '../core/replica.ts';
import type { LastPoll } from './pollSchedule.ts';
import { accountKey, rowOf, rowsOf, stateOf } from './replicaRows.ts';
import { isOfTheServer, type KnownTrouble, troublesOf } from './troubles.ts';

/** When an account's server was last asked for its projects and how that went, by whichever window; `0` for never. */
export function lastPollOf(database: DatabaseSync, account: ReplicaAccount): Omit<LastPoll, 'turnsAt'> {
  const key = accountKey(database, account);
  if (key === undefined) return { askedAt: 0, failures: 0 };
  const readAt = Number(rowOf(database, 'SELECT readAt FROM account WHERE key = ?', key)?.readAt ?? 0);
  return together(readAt, troublesOf(database, key).filter(isOfAll));
}

/** The same of one project that has failed by itself. */
export function lastFailureOf(
  database: DatabaseSync,
  account: ReplicaAccount,
  projectId: number,
): LastPoll | undefined {
  const key = accountKey(database, account);
  if (key === undefined) return undefined;
  const own = troublesOf(database, key).filter((one) => one.projectId === projectId && !isOfTheServer(one));
  return own.length > 0 ? together(0, own) : undefined;
}

/** Projects that some window has shown, or has tried to. */
export function polledProjects(database: DatabaseSync, account: ReplicaAccount): readonly number[] {
  const key = accountKey(database, account);
  if (key === undefined) return [];
  const shown = 'SELECT id FROM backlog WHERE account = ?1 UNION SELECT project FROM trouble WHERE account = ?1';
  const sql = `SELECT id FROM project WHERE account = ?1 AND id IN (${shown}) ORDER BY place`;
  return rowsOf(database, sql, key).map(({ id }) => Number(id));
}

/** A mark of what is there now: for who wants to hear only what comes after it. */
export function markNow(database: DatabaseSync, account: ReplicaAccount): string | undefined {
  const key = accountKey(database, account);
  const { epoch, revision } = stateOf(database);
  return key === undefined ? undefined : `${epoch}/${key} ${revision}`;
}

/** The earliest end of a current iteration after this moment. */
export function iterationEnd(database: DatabaseSync, account: ReplicaAccount, after: number): number | undefined {
  const key = accountKey(database, account);
  if (key === undefined) return undefined;
  const sql = 'SELECT min(endsAt) AS end FROM lists WHERE account = ? AND endsAt > ?';
  const end = rowOf(database, sql, key, after)?.end;
  return typeof end === 'number' ? end : undefined;
}

function isOfAll(trouble: KnownTrouble): boolean {
  return trouble.projectId === undefined || isOfTheServer(trouble);
}

function together(readAt: number, troubles: readonly KnownTrouble[]): Omit<LastPoll, 'turnsAt'> {
  const at = Math.max(0, ...troubles.map((one) => one.at));
  const until = Math.max(0, ...troubles.map((one) => one.at + (one.retryAfter ?? 0)));
  const askedAt = Math.max(readAt, at);
  return {
    askedAt,
    failures: Math.max(0, ...troubles.map(({ failures }) => failures)),
    ...(until > askedAt && { retryAfter: until - askedAt }),
  };
}
