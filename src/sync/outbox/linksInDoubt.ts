import type { DatabaseSync } from 'node:sqlite';
import type { Intent } from '../../core/intents/intent.ts';
import type { ReplicaProject } from '../../core/replica/replica.ts';
import type { StoryRef } from '../../core/story/story.ts';
import { rowOf, rowsOf, valueIn } from '../file/replicaRows.ts';
import type { Before, Doubt, OutboxRow } from './outboxRows.ts';

const OF_ACCOUNT = `accountId = ?1 AND address = ?2 AND intent ->> '$.kind' = 'link' AND sentAt IS NOT NULL`;

interface LinkInDoubt {
  readonly id: string;
  readonly before: Before;
}

/** The other commits for the same stories that were sent and never answered. */
export function linksInDoubt(database: DatabaseSync, { id, project, intent }: OutboxRow): readonly LinkInDoubt[] {
  if (intent.kind !== 'link') return [];
  const sql = `SELECT id, before, intent -> '$.stories' AS stories FROM outbox
    WHERE ${OF_ACCOUNT} AND before IS NOT NULL AND id <> ?3`;
  const isShared = (stories: readonly StoryRef[]) =>
    stories.some(({ storyId }) => intent.stories.some((one) => one.storyId === storyId));
  return rowsOf(database, sql, project.accountId, project.address, id).flatMap((row) =>
    isShared(valueIn<readonly StoryRef[]>(row, 'stories'))
      ? [{ id: String(row.id), before: valueIn<Before>(row, 'before') }]
      : [],
  );
}

/** These comments came of this commit, and so of none of those in doubt. */
export function claimNotes(database: DatabaseSync, row: OutboxRow, noteIds: readonly number[]): void {
  if (noteIds.length === 0) return;
  const update = database.prepare('UPDATE outbox SET before = ? WHERE id = ?');
  for (const { id, before } of linksInDoubt(database, row)) {
    if (before.noteIds) update.run(JSON.stringify({ ...before, noteIds: [...before.noteIds, ...noteIds] }), id);
  }
}

/**
 * Forgets that a commit could not be linked to the same stories before: it is tried anew. What is known where the server may
 * have taken it all the same goes over to the new entry.
 */
export function deleteFailedLink(database: DatabaseSync, project: ReplicaProject, intent: Intent): Doubt | undefined {
  if (intent.kind !== 'link') return undefined;
  const failed = `accountId = ?1 AND address = ?2 AND project = ?3 AND state = 'failed'
    AND intent ->> '$.commit.commitId' = ?4 AND json(intent -> '$.stories') = json(?5)`;
  const { accountId, address, projectId } = project;
  const values = [accountId, address, projectId, intent.commit.commitId, JSON.stringify(intent.stories)] as const;
  const sql = `SELECT sentAt, before FROM outbox WHERE ${failed} AND sentAt IS NOT NULL AND before IS NOT NULL
    ORDER BY place LIMIT 1`;
  const row = rowOf(database, sql, ...values);
  database.prepare(`DELETE FROM outbox WHERE ${failed}`).run(...values);
  return row && { sentAt: Number(row.sentAt), before: valueIn<Before>(row, 'before') };
}
