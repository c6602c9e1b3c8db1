import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Tx } from '../database.ts';
import type { ProjectIds } from '../projects/projects.ts';
import { allRows, byProject, idList, knownQuery, pieces } from '../queries.ts';
import type { Schema } from '../schema.ts';
import { SHORT_COLUMNS } from './storyTable.ts';

export type StoryRow = Selectable<Schema['stories']>;
export type StoryChange = Omit<Updateable<Schema['stories']>, 'id' | 'projectId'>;

interface StoryInProject {
  readonly projectId: number;
  readonly storyId: number;
}

const rowsById = knownQuery((tx, { projectId, storyId }: StoryInProject) =>
  tx.selectFrom('stories').selectAll().where('id', '=', storyId).where('projectId', '=', projectId),
);

export async function storyRow(tx: Tx, projectId: number, storyId: number): Promise<StoryRow | undefined> {
  const [row] = await rowsById(tx, { projectId, storyId });
  return row;
}

/** Writes a new name of someone on the stories that they own or asked for. */
export async function nameOnStories(tx: Tx, userId: number, name: string): Promise<void> {
  await tx.updateTable('stories').set({ ownedBy: name }).where('ownerId', '=', userId).execute();
  await tx.updateTable('stories').set({ requestedBy: name }).where('requesterId', '=', userId).execute();
}

/** Those of these stories that are in the project, in no order. */
export async function storyRowsOf(tx: Tx, projectId: number, storyIds: readonly number[]): Promise<StoryRow[]> {
  if (storyIds.length === 0) return [];
  return tx
    .selectFrom('stories')
    .selectAll()
    .where('id', 'in', idList(storyIds))
    .where('projectId', '=', projectId)
    .execute();
}

/** A story that is there, and its project. */
export interface LocatedStory {
  readonly id: number;
  readonly projectId: number;
}

/** Which of these stories exist and in which project, ordered by project. */
export async function placesOfStories(tx: Tx, storyIds: readonly number[]): Promise<readonly LocatedStory[]> {
  if (storyIds.length === 0) return [];
  return tx
    .selectFrom('stories')
    .select(['id', 'projectId'])
    .where('id', 'in', idList(storyIds))
    .orderBy('projectId')
    .orderBy('id')
    .execute();
}

/** Which of these ids stories of these projects have. */
export async function presentIds(
  tx: Tx,
  projectIds: ProjectIds,
  storyIds: readonly number[],
): Promise<readonly number[]> {
  if (storyIds.length === 0) return [];
  const query = tx.selectFrom('stories').select('id').where('id', 'in', idList(storyIds));
  const rows = await query.where('projectId', 'in', projectIds).execute();
  return rows.map(({ id }) => id);
}

/** The stories of a project. */
export interface ProjectStories {
  /** In priority order, the icebox last. */
  readonly rows: readonly StoryRow[];
  /** Whether descriptions are in the rows; else they were too much to be read, and all are null. */
  readonly isWhole: boolean;
}

/** Every story of a project, with descriptions of at most `most` bytes in all: how many they are is asked before any is read. */
export async function storyRows(tx: Tx, projectId: number, most: number): Promise<ProjectStories> {
  const stories = inOrder(tx, projectId);
  if ((await descriptionBytes(tx, projectId)) <= most) {
    return { rows: await allRows(tx, stories.selectAll()), isWhole: true };
  }
  const rows = await allRows(tx, stories.select(SHORT_COLUMNS));
  return { rows: rows.map((row) => ({ ...row, description: null })), isWhole: false };
}

/** Of all stories of a project, in UTF-8; neither database reads a text to tell it. */
async function descriptionBytes(tx: Tx, projectId: number): Promise<number> {
  const query = tx.selectFrom('stories').select(sql<number | null>`sum(octet_length(description))`.as('bytes'));
  return (await query.where('projectId', '=', projectId).executeTakeFirstOrThrow()).bytes ?? 0;
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

/** Several at once, with ids of their own where they bring some. Gives by what each is found. */
export async function insertStories(tx: Tx, rows: readonly Insertable<Schema['stories']>[]) {
  const written: Pick<StoryRow, 'id' | 'inIcebox' | 'rank'>[] = [];
  for (const piece of pieces(rows)) {
    const insert = tx.insertInto('stories').values(piece).returning(['id', 'inIcebox', 'rank']);
    written.push(...(await insert.execute()));
  }
  return written;
}

export async function countStories(tx: Tx, projectId: number): Promise<number> {
  const query = tx.selectFrom('stories').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await query.where('projectId', '=', projectId).executeTakeFirstOrThrow()).count;
}

/** The little of every story that planning needs, in priority order, the icebox last. */
export async function planningRows(tx: Tx, projectId: number) {
  return inOrder(tx, projectId).select(['id', 'type', 'state', 'estimate', 'acceptedAt']).execute();
}

export async function updateStoryRow(tx: Tx, storyId: number, change: StoryChange): Promise<StoryRow> {
  return tx.updateTable('stories').set(change).where('id', '=', storyId).returningAll().executeTakeFirstOrThrow();
}

const touched = knownQuery((tx, { storyId, now }: { readonly storyId: number; readonly now: number }) =>
  tx.updateTable('stories').set({ updatedAt: now }).where('id', '=', storyId),
);

/** Notes when a story was changed last. */
export async function touchStory(tx: Tx, storyId: number, now: number): Promise<void> {
  await touched(tx, { storyId, now });
}

export async function deleteStoryRow(tx: Tx, storyId: number): Promise<void> {
  await tx.deleteFrom('stories').where('id', '=', storyId).execute();
}

/** What hangs on a story and says in which project it is. */
const PARTS = ['notes', 'tasks', 'attachments', 'sourceCommits', 'mailReplies'] as const;

type PlaceInProject = Omit<Updateable<Schema['stories']>, 'id'> & Pick<StoryRow, 'projectId' | 'inIcebox' | 'rank'>;

/**
 * Puts a story with its comments, tasks, files and commits into another project, with all else that changes of it. Its labels are those of
 * the project and stay behind; a file that it came from does not bring it again.
 */
export async function putInProject(tx: Tx, storyId: number, place: PlaceInProject): Promise<StoryRow> {
  const { projectId } = place;
  await tx.deleteFrom('storyLabels').where('storyId', '=', storyId).execute();
  await tx.updateTable('importedStories').set({ storyId: null }).where('storyId', '=', storyId).execute();
  for (const table of PARTS) await tx.updateTable(table).set({ projectId }).where('storyId', '=', storyId).execute();
  return tx.updateTable('stories').set(place).where('id', '=', storyId).returningAll().executeTakeFirstOrThrow();
}

/** What a plan needs of a story. */
const PLANNED_COLUMNS = ['projectId', 'id', 'type', 'state', 'estimate', 'acceptedAt'] as const;

type PlannedRow = Awaited<ReturnType<typeof rowsOf>>[number];

/** Of every story of these projects, in priority order, the icebox last. */
export async function plannedRows(
  tx: Tx,
  projectIds: readonly number[],
): Promise<(projectId: number) => readonly PlannedRow[]> {
  return byProject(await rowsOf(tx, projectIds));
}

function rowsOf(tx: Tx, projectIds: readonly number[]) {
  return allRows(
    tx,
    tx
      .selectFrom('stories')
      .select(PLANNED_COLUMNS)
      .where('projectId', 'in', [...projectIds])
      .orderBy('projectId')
      .orderBy('inIcebox')
      .orderBy('rank'),
  );
}
