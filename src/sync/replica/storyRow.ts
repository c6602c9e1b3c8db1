import type { DatabaseSync } from 'node:sqlite';
import type { ReplicaProject } from '../../core/replica/replica.ts';
import type { Story } from '../../core/story/story.ts';
import { accountKey, nextRevision, rowOf, valueIn } from '../file/replicaRows.ts';

/** A story as the replica has it; `undefined` when it is in none of the lists. */
export function storyIn(database: DatabaseSync, project: ReplicaProject, storyId: number): Story | undefined {
  const key = accountKey(database, project);
  if (key === undefined) return undefined;
  const sql = 'SELECT value FROM story WHERE account = ? AND project = ? AND id = ?';
  const row = rowOf(database, sql, key, project.projectId, storyId);
  return row && valueIn<Story>(row, 'value');
}

/** Takes over a story as a server has just answered it, to be read again with the next refresh: others may write too. */
export function putStory(database: DatabaseSync, project: ReplicaProject, story: Story): void {
  const key = accountKey(database, project);
  if (key === undefined) return;
  const revision = nextRevision(database);
  database
    .prepare(
      `UPDATE story SET unsureAt = ?1, revision = iif(value = ?2, revision, ?1), value = ?2
       WHERE account = ?3 AND project = ?4 AND id = ?5`,
    )
    .run(revision, JSON.stringify(story), key, project.projectId, story.id);
}
