import type { DatabaseSync } from 'node:sqlite';
import type { ReplicaAccount } from '../../core/replica/replica.ts';
import type { LastPoll } from './pollSchedule.ts';
import { accountKey, rowOf, rowsOf, stateOf } from '../file/replicaRows.ts';
import { isOfTheServer, type KnownTrouble, troublesOf } from '../refresh/troubles.ts';

/** When an account's server was last asked for its projects and how that went, by whichever window; `0` for never. */
export function lastPollOf(database: DatabaseSync, account: ReplicaAccount, now: number): Omit<LastPoll, 'turnsAt'> {
  const key = accountKey(database, account);
  if (key === undefined) return { askedAt: 0, failures: 0 };
  const readAt = Number(rowOf(database, 'SELECT readAt FROM account WHERE key = ?', key)?.readAt ?? 0);
  return together(readAt, troublesOf(database, key).filter(isOfAll), now);
}

/** The same of one project that has failed by itself. */
export function lastFailureOf(
  database: DatabaseSync,
  account: ReplicaAccount,
  projectId: number,
  now: number,
): LastPoll | undefined {
  const key = accountKey(database, account);
  if (key === undefined) return undefined;
  const own = troublesOf(database, key).filter((one) => one.projectId === projectId && !isOfTheServer(one));
  return own.length > 0 ? together(0, own, now) : undefined;
}

/** Projects that some window has shown, or has tried to; those in trouble last, so that they keep no other waiting. */
export function polledProjects(database: DatabaseSync, account: ReplicaAccount): readonly number[] {
  const key = accountKey(database, account);
  if (key === undefined) return [];
  const shown = 'SELECT id FROM backlog WHERE account = ?1 UNION SELECT project FROM trouble WHERE account = ?1';
  const trouble = 'SELECT max(at) FROM trouble WHERE trouble.account = ?1 AND trouble.project = project.id';
  const sql = `SELECT id FROM project WHERE account = ?1 AND id IN (${shown}) ORDER BY ifnull((${trouble}), 0), place`;
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

/** Moments to come are of a clock that was set back: nobody knows how long ago they were. */
function together(readAt: number, troubles: readonly KnownTrouble[], now: number): Omit<LastPoll, 'turnsAt'> {
  const past = troubles.filter(({ at }) => at <= now);
  const until = Math.max(0, ...past.map((one) => one.at + (one.retryAfter ?? 0)));
  const askedAt = Math.max(readAt <= now ? readAt : 0, ...past.map(({ at }) => at));
  return {
    askedAt,
    failures: Math.max(0, ...troubles.map(({ failures }) => failures)),
    ...(until > askedAt && { retryAfter: until - askedAt }),
  };
}
