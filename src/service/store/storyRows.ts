import type { Insertable, Selectable, Updateable } from 'kysely';
import { allRows } from './allRows.ts';
import type { Tx } from './database.ts';
import type { Schema } from './schema.ts';

export type StoryRow = Selectable<Schema['stories']>;
export type StoryChange = Omit<Updateable<Schema['stories']>, 'id' | 'projectId'>;

export async function storyRow(tx: Tx, projectId: number, storyId: number): Promise<StoryRow | undefined> {
  return tx
    .selectFrom('stories')
    .selectAll()
    .where('id', '=', storyId)
    .where('projectId', '=', projectId)
    .executeTakeFirst();
}

/** Those of these stories that are in the project, in no order. */
export async function storyRowsOf(tx: Tx, projectId: number, storyIds: readonly number[]): Promise<StoryRow[]> {
  return tx
    .selectFrom('stories')
    .selectAll()
    .where('id', 'in', [...storyIds])
    .where('projectId', '=', projectId)
    .execute();
}

/** Every story of a project in priority order, the icebox last. */
export async function storyRows(tx: Tx, projectId: number): Promise<StoryRow[]> {
  return allRows(tx, inOrder(tx, projectId));
}

export async function storyRowsInState(tx: Tx, projectId: number, state: string): Promise<StoryRow[]> {
  return inOrder(tx, projectId).where('state', '=', state).execute();
}

function inOrder(tx: Tx, projectId: number) {
  return tx.selectFrom('stories').selectAll().where('projectId', '=', projectId).orderBy('inIcebox').orderBy('rank');
}

export async function insertStory(tx: Tx, row: Omit<Insertable<Schema['stories']>, 'id'>): Promise<StoryRow> {
  return tx.insertInto('stories').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function updateStoryRow(tx: Tx, storyId: number, change: StoryChange): Promise<StoryRow> {
  return tx.updateTable('stories').set(change).where('id', '=', storyId).returningAll().executeTakeFirstOrThrow();
}

export async function deleteStoryRow(tx: Tx, storyId: number): Promise<void> {
  await tx.deleteFrom('stories').where('id', '=', storyId).execute();
}
