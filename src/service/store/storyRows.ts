import type { Insertable, Selectable, Updateable } from 'kysely';
import { allRows, rowsByChunk } from './allRows.ts';
import type { Tx } from './database.ts';
import { idList } from './idList.ts';
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
    .where('id', 'in', idList(storyIds))
    .where('projectId', '=', projectId)
    .execute();
}

/** The stories of a project. */
export interface ProjectStories {
  /** In priority order, the icebox last. */
  readonly rows: readonly StoryRow[];
  /** Whether descriptions are in the rows; else they were too much to be read, and all are null. */
  readonly isWhole: boolean;
}

/** Every story of a project, with descriptions of at most `most` characters in all. */
export async function storyRows(tx: Tx, projectId: number, most: number): Promise<ProjectStories> {
  const rows: StoryRow[] = [];
  let characters = 0;
  for await (const chunk of rowsByChunk(tx, inOrder(tx, projectId).selectAll())) {
    for (const row of chunk) {
      characters += row.description?.length ?? 0;
      rows.push(row);
    }
    if (characters > most) break;
  }
  if (characters <= most) return { rows, isWhole: true };
  return { rows: await rowsWithoutTexts(tx, projectId), isWhole: false };
}

/** All columns but the description. */
const COLUMNS = [
  ...(['id', 'projectId', 'inIcebox', 'rank', 'type', 'state', 'name', 'estimate', 'requestedBy'] as const),
  ...(['requesterId', 'ownedBy', 'ownerId', 'createdAt', 'updatedAt', 'acceptedAt', 'deadline'] as const),
  ...(['integrationId', 'externalId'] as const),
] as const;

async function rowsWithoutTexts(tx: Tx, projectId: number): Promise<readonly StoryRow[]> {
  const rows = await allRows(tx, inOrder(tx, projectId).select(COLUMNS));
  return rows.map((row) => ({ ...row, description: null }));
}

/** What tells stories in a state apart, and whether they may leave it, in priority order. */
export async function storiesInState(tx: Tx, projectId: number, state: string) {
  return inOrder(tx, projectId).select(['id', 'name', 'type', 'estimate']).where('state', '=', state).execute();
}

function inOrder(tx: Tx, projectId: number) {
  return tx.selectFrom('stories').where('projectId', '=', projectId).orderBy('inIcebox').orderBy('rank');
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
