import type { DatabaseSync } from 'node:sqlite';
import type { ActivityLog, ReplicaAccount, ToldActivity, ToldQuery } from '../../core/replica/replica.ts';
import type { Activity } from '../../core/story/activity.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { accountKey, rowOf, rowsOf, valueIn } from '../file/replicaRows.ts';
import { restorePosition, settlePositions } from './readPositions.ts';

/**
 * Keeps activities of a project, which are told newest first; what is known already stays as it is, but for others of the
 * same numbers, from before the server was put back to an earlier state. With `isFirst` they are nobody's news, but for what was
 * unread when one signed out.
 */
export function putActivities(
  database: DatabaseSync,
  account: number,
  projectId: number,
  activities: readonly Activity[],
  { isFirst }: { readonly isFirst: boolean },
): void {
  if (activities.length === 0) return;
  const removeOther = database.prepare(
    'DELETE FROM activity WHERE account = ? AND project = ? AND id = ? AND version = ? AND occurredAt IS NOT ?',
  );
  const insert = database.prepare(
    `INSERT OR IGNORE INTO activity (account, project, id, version, occurredAt, value, isRead, isFresh)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const activity of activities.toReversed()) {
    const { id, version, occurredAt } = activity;
    const flags = isFirst ? [1, 0] : [0, 1];
    const numbers = [account, projectId, id, version] as const;
    const at = occurredAt?.time ?? null;
    removeOther.run(...numbers, at);
    insert.run(...numbers, at, JSON.stringify(activity), ...flags);
  }
  if (isFirst) restorePosition(database, account, projectId);
  removeOldest(database, account, projectId);
}

/** So many of a project are kept. */
const ACTIVITIES_KEPT = 300;

/** By when we were told, since a server may count its versions from the beginning again. */
function removeOldest(database: DatabaseSync, account: number, projectId: number): void {
  database
    .prepare(
      `DELETE FROM activity WHERE rowid IN (
         SELECT rowid FROM activity WHERE account = ? AND project = ?
         ORDER BY rowid DESC LIMIT -1 OFFSET ?)`,
    )
    .run(account, projectId, ACTIVITIES_KEPT);
}

/** What happened in the projects, as the replica keeps it for all windows. */
export class LocalActivityLog implements ActivityLog {
  private readonly file: ReplicaFile;

  constructor(file: ReplicaFile) {
    this.file = file;
  }

  async told(query: ToldQuery): Promise<readonly ToldActivity[]> {
    const { accounts, limit, since = Number.MIN_SAFE_INTEGER, story, without = [] } = query;
    await this.file.ready();
    return this.file.run((database) =>
      known(database, accounts)
        .flatMap(({ account, key }) =>
          rowsOf(
            database,
            `${COLUMNS} WHERE activity.account = ? AND ${NOT_OF} AND ifnull(occurredAt, 0) >= ? ${story ? OF_STORY : ''}
             ORDER BY occurredAt DESC, version DESC LIMIT ?`,
            ...[key, projectsOf(account, without), since, ...(story ? [story.projectId, story.storyId] : []), limit],
          ).map((row) => toldIn(account, row)),
        )
        .toSorted(newestFirst)
        .slice(0, limit),
    );
  }

  async unread(accounts: readonly ReplicaAccount[], without: readonly ProjectKey[] = []): Promise<number> {
    await this.file.ready();
    return this.file.run((database) =>
      known(database, accounts)
        .map(({ account, key }) => Number(rowOf(database, UNREAD, key, projectsOf(account, without))?.count))
        .reduce((sum, count) => sum + count, 0),
    );
  }

  async markRead(accounts: readonly ReplicaAccount[]): Promise<void> {
    await this.file.ready();
    this.file.change((database) => {
      for (const { key } of known(database, accounts)) {
        database.prepare('UPDATE activity SET isRead = 1 WHERE account = ? AND isRead = 0').run(key);
      }
    });
  }

  async claimFresh(accounts: readonly ReplicaAccount[]): Promise<readonly ToldActivity[]> {
    await this.file.ready();
    return this.file.change((database) =>
      known(database, accounts)
        .flatMap(({ account, key }) => {
          const fresh = rowsOf(database, `${COLUMNS} WHERE activity.account = ? AND isFresh = 1`, key);
          if (fresh.length > 0) database.prepare('UPDATE activity SET isFresh = 0 WHERE account = ?').run(key);
          return fresh.map((row) => toldIn(account, row));
        })
        .toSorted(newestFirst),
    );
  }

  async setOwnName(account: ReplicaAccount, name: string): Promise<boolean> {
    await this.file.ready();
    return this.file.change((database) => {
      const key = accountKey(database, account);
      if (key === undefined) return false;
      const set = database.prepare('UPDATE account SET ownName = ?1 WHERE key = ?2 AND ownName IS NOT ?1');
      if (set.run(name, key).changes > 0) settlePositions(database, key, name);
      return true;
    });
  }
}

const COLUMNS = `
  SELECT activity.project, activity.value, isRead, ownName
  FROM activity JOIN account ON account.key = activity.account`;

const NOT_OF = 'activity.project NOT IN (SELECT value FROM json_each(?))';

const OF_STORY = `
  AND activity.project = ?
  AND EXISTS (SELECT 1 FROM json_each(activity.value, '$.stories') AS story WHERE story.value ->> '$.id' = ?)`;

const UNREAD = `
  SELECT count(*) AS count FROM activity JOIN account ON account.key = activity.account
  WHERE activity.account = ? AND ${NOT_OF} AND isRead = 0 AND (ownName IS NULL OR value ->> '$.author' IS NOT ownName)`;

/** The ids of an account's projects among these, as `NOT_OF` takes them. */
function projectsOf({ accountId }: ReplicaAccount, keys: readonly ProjectKey[]): string {
  return JSON.stringify(keys.filter((key) => key.accountId === accountId).map(({ projectId }) => projectId));
}

function known(database: DatabaseSync, accounts: readonly ReplicaAccount[]) {
  return accounts.flatMap((account) => {
    const key = accountKey(database, account);
    return key === undefined ? [] : { account, key };
  });
}

function toldIn({ accountId, address }: ReplicaAccount, row: Readonly<Record<string, unknown>>): ToldActivity {
  const activity = valueIn<Activity>(row, 'value');
  const isOwn = activity.author !== undefined && activity.author === row.ownName;
  return {
    project: { accountId, address, projectId: Number(row.project) },
    activity,
    isUnread: row.isRead === 0 && !isOwn,
    isOwn,
    ...(typeof row.ownName === 'string' && { ownName: row.ownName }),
  };
}

function newestFirst({ activity: one }: ToldActivity, { activity: other }: ToldActivity): number {
  return (other.occurredAt?.time ?? 0) - (one.occurredAt?.time ?? 0) || other.version - one.version;
}
