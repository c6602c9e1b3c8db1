import type { Tx } from '../database.ts';
import { idList } from '../queries.ts';

/** True when this commit was linked to this story before (protocol.md, Commit markers: ignored the second time). */
export async function isLinked(tx: Tx, projectId: number, storyId: number, commitId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('sourceCommits')
    .select('noteId')
    .where('projectId', '=', projectId)
    .where('storyId', '=', storyId)
    .where('commitId', '=', commitId)
    .executeTakeFirst();
  return row !== undefined;
}

interface LinkedCommit {
  readonly projectId: number;
  readonly storyId: number;
  readonly commitId: string;
  readonly noteId: number;
  readonly receivedAt: number;
}

export async function insertLinkedCommit(tx: Tx, commit: LinkedCommit): Promise<void> {
  await tx.insertInto('sourceCommits').values(commit).execute();
}

/** A story that is there, and its project. */
export interface Place {
  readonly id: number;
  readonly projectId: number;
}

/** Which of these stories exist and in which project, ordered by project. */
export async function placesOfStories(tx: Tx, storyIds: readonly number[]): Promise<readonly Place[]> {
  if (storyIds.length === 0) return [];
  return tx
    .selectFrom('stories')
    .select(['id', 'projectId'])
    .where('id', 'in', idList(storyIds))
    .orderBy('projectId')
    .orderBy('id')
    .execute();
}
