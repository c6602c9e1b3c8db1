import type { DatabaseSync } from 'node:sqlite';
import type { LinkedCommit, LinkedCommits, ReplicaAccount } from '../../core/replica/replica.ts';
import type { StoryRef } from '../../core/story/story.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { rowOf, rowsOf } from '../file/replicaRows.ts';

const KEPT = 5000;

/** Remembers that a server has taken a commit for these stories. */
export function rememberLinked(
  database: DatabaseSync,
  { accountId, address }: ReplicaAccount,
  hash: string,
  stories: readonly StoryRef[],
  at: number,
): void {
  const insert = database.prepare('INSERT OR REPLACE INTO linkedCommit VALUES (?, ?, ?, ?, ?, ?)');
  for (const { projectId, storyId } of stories) insert.run(accountId, address, projectId, storyId, hash, at);
  database
    .prepare('DELETE FROM linkedCommit WHERE rowid NOT IN (SELECT rowid FROM linkedCommit ORDER BY at DESC LIMIT ?)')
    .run(KEPT);
}

/** Whether a server was seen to take a commit for all these stories after that time. */
export function isLinkedSince(
  database: DatabaseSync,
  { accountId, address }: ReplicaAccount,
  hash: string,
  stories: readonly StoryRef[],
  at: number,
): boolean {
  const sql = `SELECT 1 FROM linkedCommit
    WHERE accountId = ? AND address = ? AND project = ? AND story = ? AND hash = ? AND at > ?`;
  return stories.every(
    ({ projectId, storyId }) => rowOf(database, sql, accountId, address, projectId, storyId, hash, at) !== undefined,
  );
}

/** The commits that were linked on this machine, as the replica's file has them. */
export class StoredLinkedCommits implements LinkedCommits {
  private readonly file: ReplicaFile;

  constructor(file: ReplicaFile) {
    this.file = file;
  }

  async linked(): Promise<readonly LinkedCommit[]> {
    await this.file.ready();
    const rows = this.file.run((database) => rowsOf(database, 'SELECT * FROM linkedCommit ORDER BY at'));
    return rows.map(({ accountId, address, project, story, hash, at }) => ({
      account: { accountId: String(accountId), address: String(address) },
      ...{ projectId: Number(project), storyId: Number(story), hash: String(hash), linkedAt: Number(at) },
    }));
  }
}
