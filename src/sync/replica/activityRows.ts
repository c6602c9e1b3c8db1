import type { DatabaseSync } from 'node:sqlite';
import type { Activity } from '../../core/story/activity.ts';

/**
 * Keeps activities of a project, which are told newest first; what is known already stays as it is, but for others of the
 * same numbers, from before the server was put back to an earlier state. With `isFirst` they are nobody's news.
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
  removeOldest(database, account, projectId);
}

/** So many of a project are kept. */
export const ACTIVITIES_KEPT = 300;

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
