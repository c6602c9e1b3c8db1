import type { DatabaseSync } from 'node:sqlite';
import type { ReplicaAccount } from '../../core/replica/replica.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { accountKey, rowOf, rowsOf, stateOf } from '../file/replicaRows.ts';
import { isOfTheServer, type KnownTrouble, troublesOf } from '../refresh/failureRecordingSync.ts';
import { type Attention, isOld, type LastPoll, nextPollAt } from './nextPoll.ts';

/** When an account's server was last asked for its projects and how that went, by whichever window; `0` for never. */
function lastPollOf(database: DatabaseSync, account: ReplicaAccount, now: number): Omit<LastPoll, 'turnsAt'> {
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
function iterationEnd(database: DatabaseSync, account: ReplicaAccount, after: number): number | undefined {
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

interface PollPlanNeeds {
  readonly file: ReplicaFile;
  readonly now: () => number;
  readonly random: () => number;
}

interface Planned {
  /** What it was made from; other facts give another plan. */
  readonly from: string;
  readonly at: number | undefined;
}

/** When each account's server is to be asked next, by what the replica says of the last time. */
export class PollPlan {
  private readonly needs: PollPlanNeeds;
  /** When each account came, or was last tried from here: whoever came has just been read for being shown. */
  private readonly tried = new Map<string, number>();
  private readonly planned = new Map<string, Planned>();
  private readonly turns = new Map<string, { readonly askedAt: number; readonly at: number }>();

  constructor(needs: PollPlanNeeds) {
    this.needs = needs;
  }

  /** Forgets all others. */
  keep(accounts: readonly ReplicaAccount[]): void {
    const kept = new Set(accounts.map(textOf));
    for (const text of this.tried.keys()) if (!kept.has(text)) this.tried.delete(text);
    for (const account of accounts) if (!this.tried.has(textOf(account))) this.noteTried(account);
  }

  noteTried(account: ReplicaAccount): void {
    this.tried.set(textOf(account), this.needs.now());
  }

  /** `isBack` when someone returns to the window and wants to see what is new now. */
  isDue(account: ReplicaAccount, attention: Attention, isBack: boolean): boolean {
    const now = this.needs.now();
    const last = this.lastOf(account);
    if (isBack && isOld(attention, last, now)) return true;
    const at = this.nextAt(account, attention);
    return at !== undefined && (at <= now || now < last.askedAt);
  }

  nextAt(account: ReplicaAccount, attention: Attention): number | undefined {
    const last = this.lastOf(account);
    const { isFocused, isActive, isVisible, seconds } = attention;
    const from = JSON.stringify([last, isFocused, isActive, isVisible, seconds]);
    const before = this.planned.get(textOf(account));
    if (before?.from === from) return before.at;
    const at = nextPollAt(attention, last, this.needs.random());
    this.planned.set(textOf(account), { from, at });
    return at;
  }

  private lastOf(account: ReplicaAccount): LastPoll {
    const last = this.needs.file.run((database) => lastPollOf(database, account, this.needs.now()));
    const askedAt = Math.max(last.askedAt, this.tried.get(textOf(account)) ?? 0);
    const retryAfter = Math.max(0, last.askedAt + (last.retryAfter ?? 0) - askedAt);
    return { askedAt, failures: last.failures, retryAfter, turnsAt: this.turnAfter(account, askedAt) };
  }

  /** The end of an iteration or of the day here, whichever comes first. */
  private turnAfter(account: ReplicaAccount, askedAt: number): number {
    const known = this.turns.get(textOf(account));
    if (known?.askedAt === askedAt) return known.at;
    const end = this.needs.file.run((database) => iterationEnd(database, account, askedAt));
    const at = Math.min(end ?? Number.POSITIVE_INFINITY, new Date(askedAt).setHours(24, 0, 0, 0));
    this.turns.set(textOf(account), { askedAt, at });
    return at;
  }
}

/** A name for an account at its address. */
export function textOf({ accountId, address }: ReplicaAccount): string {
  return JSON.stringify([accountId, address]);
}
