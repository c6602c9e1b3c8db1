import type { DatabaseSync } from 'node:sqlite';
import { rowOf, rowsOf } from '../file/replicaRows.ts';

// Up to which activity of each project a person has read, kept while they are signed out, so that what was unread is unread again
// when they come back. A token does not say whose it is: that is known by the name, which comes after the first activities.

/** To be called before an account is forgotten. */
export function keepPositions(database: DatabaseSync, account: number): void {
  database
    .prepare(
      `INSERT OR REPLACE INTO readPosition (accountId, address, person, project, version)
       SELECT account.id, account.address, account.ownName, backlog.id,
         ifnull((SELECT max(version) FROM activity
                 WHERE activity.account = account.key AND activity.project = backlog.id AND isRead = 1), 0)
       FROM account JOIN backlog ON backlog.account = account.key
       WHERE account.key = ? AND account.ownName IS NOT NULL`,
    )
    .run(account);
}

/** Makes what came after the position unread, of a project whose activities were just read for the first time. */
export function restorePosition(database: DatabaseSync, account: number, projectId: number): void {
  // Where several people used one token after the other, it is not known yet whose position counts: that of the one who read least.
  const row = rowOf(
    database,
    `SELECT min(version) AS version FROM readPosition JOIN account ON id = accountId AND account.address = readPosition.address
     WHERE account.key = ? AND project = ? AND (ownName IS NULL OR person = ownName)`,
    ...[account, projectId],
  );
  if (row?.version == null) return;
  database
    .prepare('UPDATE activity SET isRead = 0 WHERE account = ? AND project = ? AND version > ?')
    .run(account, projectId, Number(row.version));
}

/** Once it is known whom the account belongs to: what only another person had not read is no news to this one. */
export function settlePositions(database: DatabaseSync, account: number, person: string): void {
  const all = `SELECT project, person, version FROM readPosition
    JOIN account ON id = accountId AND account.address = readPosition.address WHERE account.key = ?`;
  const byProject = Map.groupBy(rowsOf(database, all, account), ({ project }) => Number(project));
  const markRead = database.prepare(
    'UPDATE activity SET isRead = 1 WHERE account = ? AND project = ? AND version <= ?',
  );
  for (const [project, rows] of byProject) {
    const own = rows.find((row) => row.person === person);
    const known = rowOf(
      database,
      'SELECT max(version) AS version FROM activity WHERE account = ? AND project = ? AND isFresh = 0',
      ...[account, project],
    );
    markRead.run(account, project, Number(own?.version ?? known?.version ?? 0));
  }
}
