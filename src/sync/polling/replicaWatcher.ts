import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { AccountNews, PollState, ReplicaNews } from '../../core/replica/polling.ts';
import type { ReplicaAccount, ReplicaProject } from '../../core/replica/replica.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { accountKey, rowOf, rowsOf, stateOf } from '../file/replicaRows.ts';
import { troublesOf } from '../refresh/failureRecordingSync.ts';

interface ReplicaWatcherNeeds {
  readonly file: ReplicaFile;
  readonly log: Log;
  readonly onNews: (news: ReplicaNews) => void;
  /** Resolves after so many milliseconds, or earlier when the signal comes. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const WATCHED_MS = 1000;
const UNWATCHED_MS = 10_000;

/** Tells one window what any window changed in the replica, quickly while someone may be watching. */
export class ReplicaWatcher {
  private readonly needs: ReplicaWatcherNeeds;
  private readonly changes: ReplicaChanges;
  private state: PollState | undefined;
  private waiting = new AbortController();
  private isStopped = false;

  constructor(needs: ReplicaWatcherNeeds) {
    this.needs = needs;
    this.changes = new ReplicaChanges(needs.file);
  }

  tell(state: PollState): void {
    this.state = state;
    this.waiting.abort();
  }

  stop(): void {
    this.isStopped = true;
    this.waiting.abort();
  }

  /** Settles after `stop`. */
  async run(): Promise<void> {
    while (!this.isStopped) {
      this.waiting = new AbortController();
      const { signal } = this.waiting;
      await this.look().catch((thrown: unknown) => this.needs.log.warn(`following: ${messageOf(thrown)}`));
      const isWatched = this.state?.isFocused || this.state?.isVisible;
      await this.needs.wait(isWatched ? WATCHED_MS : UNWATCHED_MS, signal);
    }
  }

  private async look(): Promise<void> {
    if (!this.state) return;
    const news = await this.changes.since(this.state.accounts);
    if (news && !this.isStopped) this.needs.onNews(news);
  }
}

/** What the replica is like, in short texts that differ when it does. */
interface Look {
  readonly projects: ReadonlyMap<string, { readonly project: ReplicaProject; readonly text: string }>;
  readonly accounts: ReadonlyMap<string, { readonly news: AccountNews; readonly list: string; readonly text: string }>;
  readonly activities: string;
}

const NOTHING: Look = { projects: new Map(), accounts: new Map(), activities: '' };

/** Tells what became different in the replica since the last look, by this window or another. */
class ReplicaChanges {
  private readonly file: ReplicaFile;
  private stamp: string | undefined;
  private last = NOTHING;

  constructor(file: ReplicaFile) {
    this.file = file;
  }

  /** `undefined` when nothing did; everything counts as different at the first look. */
  async since(accounts: readonly ReplicaAccount[]): Promise<ReplicaNews | undefined> {
    await this.file.ready();
    const stamp = this.file.run((database) => stampOf(database) + JSON.stringify(accounts));
    if (stamp === this.stamp) return undefined;
    const now = this.file.run((database) => lookAt(database, accounts));
    const news = differences(this.last, now);
    this.stamp = stamp;
    this.last = now;
    return news;
  }
}

/** A cheap check for whether anyone, including us, has written since. */
function stampOf(database: DatabaseSync): string {
  const others = rowOf(database, 'PRAGMA data_version')?.data_version;
  const own = rowOf(database, 'SELECT total_changes() AS own')?.own;
  return JSON.stringify([others, own, stateOf(database).epoch]);
}

function lookAt(database: DatabaseSync, accounts: readonly ReplicaAccount[]): Look {
  const projects: [string, { project: ReplicaProject; text: string }][] = [];
  const looks: [string, { news: AccountNews; list: string; text: string }][] = [];
  const activities: unknown[] = [];
  const { epoch } = stateOf(database);
  for (const account of accounts) {
    const key = accountKey(database, account);
    if (key === undefined) continue;
    looks.push([JSON.stringify(account), accountLook(database, account, key)]);
    activities.push(activitiesLook(database, key));
    for (const [id, text] of backlogLooks(database, key)) {
      const project = { ...account, projectId: id };
      projects.push([JSON.stringify(project), { project, text: JSON.stringify([epoch, key, text]) }]);
    }
  }
  return { projects: new Map(projects), accounts: new Map(looks), activities: JSON.stringify(activities) };
}

function accountLook(database: DatabaseSync, account: ReplicaAccount, key: number) {
  const readAt = rowOf(database, 'SELECT readAt FROM account WHERE key = ?', key)?.readAt;
  const troubles = troublesOf(database, key).map(({ kind, message, projectId, at }) => ({
    ...{ kind, message, at },
    ...(projectId !== undefined && { projectId }),
  }));
  const values = rowsOf(database, 'SELECT value FROM project WHERE account = ? ORDER BY place', key);
  const list = digest(values.map(({ value }) => String(value)));
  const news = { account, isListChanged: false, troubles, ...(typeof readAt === 'number' && { readAt }) };
  return { news, list, text: JSON.stringify([list, readAt, troubles]) };
}

function backlogLooks(database: DatabaseSync, key: number): readonly (readonly [number, string])[] {
  const rows = rowsOf(
    database,
    `SELECT id, value, listsRevision,
       (SELECT max(revision) FROM story WHERE story.account = backlog.account AND story.project = backlog.id) AS stories
     FROM backlog WHERE account = ?`,
    key,
  );
  return rows.map(({ id, value, listsRevision, stories }) => [
    Number(id),
    JSON.stringify([listsRevision, stories, digest([String(value)])]),
  ]);
}

function activitiesLook(database: DatabaseSync, key: number): unknown {
  return rowOf(
    database,
    `SELECT count(*), max(rowid), sum(isRead), (SELECT ownName FROM account WHERE key = ?1)
     FROM activity WHERE account = ?1`,
    key,
  );
}

function digest(texts: readonly string[]): string {
  const hash = createHash('sha1');
  for (const text of texts) hash.update(text).update('\n');
  return hash.digest('base64');
}

function differences(before: Look, now: Look): ReplicaNews | undefined {
  const projects = [...now.projects].filter(([key, { text }]) => before.projects.get(key)?.text !== text);
  const accounts = [...now.accounts].map(([key, { news, list }]) => ({
    ...news,
    isListChanged: before.accounts.get(key)?.list !== list,
  }));
  const areActivitiesChanged = before.activities !== now.activities;
  const isSame =
    before.accounts.size === now.accounts.size &&
    [...now.accounts].every(([key, { text }]) => before.accounts.get(key)?.text === text);
  if (projects.length === 0 && isSame && !areActivitiesChanged) return undefined;
  return { projects: projects.map(([, { project }]) => project), accounts, areActivitiesChanged };
}
