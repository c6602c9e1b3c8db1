import { type Insertable, type Selectable, sql } from 'kysely';
import type { KeptName } from '../../core/story/projectSettings.ts';
import { rest } from '../ground/slices.ts';
import type { Tx } from './database.ts';
import type { ProjectIds } from './projects/projects.ts';
import { allRows, idList, pieces } from './queries.ts';
import type { Schema } from './schema.ts';
import type { StoryRow } from './stories/storyRows.ts';

/** Which story came of which one in a file. */
export type Mapping = Selectable<Schema['importedStories']>;

/** By the stories' ids where they came from; without those of stories that an import under way is to bring. */
export async function mappingsOf(
  tx: Tx,
  projectId: number,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, Mapping>> {
  if (externalIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('importedStories')
    .leftJoin('stories', 'stories.id', 'importedStories.storyId')
    .selectAll('importedStories')
    .where('importedStories.projectId', '=', projectId)
    .where('importedStories.externalId', 'in', idList(externalIds))
    .where((story) => story.or([story('storyId', 'is', null), story('stories.projectId', '=', projectId)]))
    .execute();
  return new Map(rows.map((row) => [row.externalId, row]));
}

/** Whether one of these ids of a file is known in the project, be it of a story that an import under way is to bring. */
export async function isAnyMapped(tx: Tx, projectId: number, externalIds: readonly string[]): Promise<boolean> {
  const query = tx.selectFrom('importedStories').select('externalId').where('projectId', '=', projectId);
  return (await query.where('externalId', 'in', idList(externalIds)).limit(1).executeTakeFirst()) !== undefined;
}

/** Of stories that have another ID here than in the file they came from; the index of them has the same condition. */
const isRenumbered = sql<boolean>`"importedStories"."externalId" <> cast("importedStories"."storyId" as text)`;

/** A story by its ID where it came from. */
interface RenumberedRow {
  readonly externalId: string;
  readonly storyId: number;
  readonly projectId: number;
  readonly createdAt: number;
}

/** Those in these projects, the newest first, and no copies of stories that are in them as well. */
export async function renumberedStories(
  tx: Tx,
  projectIds: ProjectIds,
  most: number,
): Promise<readonly RenumberedRow[]> {
  const rows = await allRows(tx, renumbered(tx, projectIds).orderBy('importedStories.storyId', 'desc').limit(most));
  return withoutCopies(tx, projectIds, rows);
}

/** The same of those that were called so where they came from. */
export async function renumberedFrom(
  tx: Tx,
  projectIds: ProjectIds,
  externalIds: readonly string[],
): Promise<readonly RenumberedRow[]> {
  if (externalIds.length === 0) return [];
  const rows = await renumbered(tx, projectIds)
    .where('importedStories.externalId', 'in', idList(externalIds))
    .execute();
  return withoutCopies(tx, projectIds, rows);
}

function renumbered(tx: Tx, projectIds: ProjectIds) {
  return tx
    .selectFrom('importedStories')
    .innerJoin('stories', 'stories.id', 'importedStories.storyId')
    .select(['importedStories.externalId', 'stories.id as storyId', 'stories.projectId', 'stories.createdAt'])
    .where('importedStories.projectId', 'in', projectIds)
    .whereRef('stories.projectId', '=', 'importedStories.projectId')
    .where(isRenumbered);
}

/** Stories whose moments are compared at once. */
const COMPARED = 512;

/** What was exported here and imported again is a copy, whose former ID is that of the story it was made from. */
async function withoutCopies(
  tx: Tx,
  projectIds: ProjectIds,
  rows: readonly RenumberedRow[],
): Promise<readonly RenumberedRow[]> {
  const found: RenumberedRow[] = [];
  for (let from = 0; from < rows.length; from += COMPARED) {
    const some = rows.slice(from, from + COMPARED);
    const ids = some.flatMap(({ externalId }) => storyNumber(externalId) ?? []);
    const originals = ids.length === 0 ? [] : await momentsOf(tx, projectIds, ids);
    const madeAt = new Map(originals.map(({ id, createdAt }) => [String(id), createdAt]));
    found.push(...some.filter((row) => !isCopy(row.createdAt, madeAt.get(row.externalId))));
    await rest();
  }
  return found;
}

function momentsOf(tx: Tx, projectIds: ProjectIds, ids: readonly number[]) {
  const query = tx.selectFrom('stories').select(['id', 'createdAt']).where('id', 'in', idList(ids));
  return query.where('projectId', 'in', projectIds).execute();
}

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

/** Files have the second in which a story was made, or the day. */
function isCopy(createdAt: number, originalAt: number | undefined): boolean {
  if (originalAt === undefined) return false;
  return [1, SECOND, DAY].some((unit) => createdAt === originalAt - (originalAt % unit));
}

/** Undefined for what is no number that a story here may have. */
function storyNumber(externalId: string): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(externalId) ? Number(externalId) : 0;
  return id > 0 && id < 2 ** 31 ? id : undefined;
}

export async function changeMapping(
  tx: Tx,
  { projectId, externalId }: Mapping,
  change: Pick<Mapping, 'digest' | 'place'>,
): Promise<void> {
  const mapping = tx.updateTable('importedStories').set(change).where('projectId', '=', projectId);
  await mapping.where('externalId', '=', externalId).execute();
}

/** The stories of mappings as they are now, by their ids here. */
export async function rowsOf(tx: Tx, mappings: Iterable<Mapping>): Promise<ReadonlyMap<number, StoryRow>> {
  const ids = [...mappings].flatMap(({ storyId }) => storyId ?? []);
  if (ids.length === 0) return new Map();
  const rows = await tx.selectFrom('stories').selectAll().where('id', 'in', idList(ids)).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Which of these ids stories have already, whatever their project. */
export async function takenIds(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.selectFrom('stories').select('id').where('id', 'in', idList(ids)).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function addMappings(tx: Tx, mappings: readonly Mapping[]): Promise<void> {
  for (const rows of pieces(mappings)) await tx.insertInto('importedStories').values(rows).execute();
}

/** The project that imports from this source went into. */
export async function projectOfSource(tx: Tx, source: string): Promise<number | undefined> {
  const query = tx.selectFrom('importedProjects').select('projectId').where('source', '=', source);
  return (await query.executeTakeFirst())?.projectId;
}

export async function rememberSource(tx: Tx, projectId: number, source: string): Promise<void> {
  await tx.insertInto('importedProjects').values({ projectId, source }).execute();
}

/** Stories that came from sources of this beginning, of those with one of the ids there. */
export async function storiesOfSources(tx: Tx, beginning: string, externalIds: readonly string[]) {
  return tx
    .selectFrom('importedProjects')
    .innerJoin('importedStories', 'importedStories.projectId', 'importedProjects.projectId')
    .innerJoin('stories', 'stories.id', 'importedStories.storyId')
    .select(['importedProjects.projectId', 'importedStories.externalId', 'stories.createdAt'])
    .where('importedProjects.source', 'like', `${beginning}%`)
    .where('importedStories.externalId', 'in', [...externalIds])
    .execute();
}

/** Makes databases that count apart from what is there go on behind a number that is given out of turn; before it is. */
export async function raiseNumbers(
  tx: Tx,
  table: 'stories' | 'projects',
  highest: number,
  countsApart: boolean,
): Promise<void> {
  if (!countsApart) return;
  const sequence = sql`pg_get_serial_sequence(${`"${table}"`}, 'id')`;
  await sql`select setval(${sequence}, ${highest}) where ${highest} > coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`.execute(
    tx,
  );
}

/** What hangs on stories that are imported. */
export interface PartRows {
  readonly storyLabels: Insertable<Schema['storyLabels']>[];
  readonly notes: Insertable<Schema['notes']>[];
  readonly tasks: Insertable<Schema['tasks']>[];
  readonly attachments: Insertable<Schema['attachments']>[];
}

export async function insertParts(tx: Tx, { storyLabels, notes, tasks, attachments }: PartRows): Promise<void> {
  for (const rows of pieces(storyLabels)) await tx.insertInto('storyLabels').values(rows).execute();
  for (const rows of pieces(notes)) await tx.insertInto('notes').values(rows).execute();
  for (const rows of pieces(tasks)) await tx.insertInto('tasks').values(rows).execute();
  for (const rows of pieces(attachments)) await tx.insertInto('attachments').values(rows).execute();
}

/** Where people are named: table, column of the name, column of the user, column of the story. */
const NAMED = [
  ['stories', 'requestedBy', 'requesterId', 'id'],
  ['stories', 'ownedBy', 'ownerId', 'id'],
  ['notes', 'author', 'authorId', 'storyId'],
  ['attachments', 'uploadedBy', 'uploaderId', 'storyId'],
] as const;
const NOBODY = -1;

/** A name that a project holds, and the user it refers to. */
interface Naming {
  readonly projectId: number;
  readonly name: string;
  /** The user of whom it was said before; none where only the name was kept. */
  readonly before: number | undefined;
  readonly user: { readonly id: number; readonly name: string };
}

/** What a project says of a name, without a user or with the one before, is said of the user from now on. Gives the stories that changed. */
export async function nameUser(tx: Tx, { projectId, name, before = NOBODY, user }: Naming): Promise<readonly number[]> {
  const changed = new Set<number>();
  for (const [tableName, nameColumn, userColumn, storyColumn] of NAMED) {
    const table = sql.table(tableName);
    const named = sql.ref(nameColumn);
    const known = sql.ref(userColumn);
    const { rows } = await sql<{ readonly id: number }>`
      update ${table} set ${named} = ${user.name}, ${known} = ${user.id}
      where ${sql.ref('projectId')} = ${projectId} and ${named} = ${name} and (${known} is null or ${known} = ${before})
      returning ${sql.ref(storyColumn)} as id`.execute(tx);
    for (const { id } of rows) changed.add(id);
  }
  return [...changed];
}

/** How many stories a project says something of a name on that no user is behind. */
export async function countNamed(tx: Tx, { projectId, name }: Pick<Naming, 'projectId' | 'name'>): Promise<number> {
  const ids = new Set<number>();
  for (const [tableName, nameColumn, userColumn, storyColumn] of NAMED) {
    const { rows } = await sql<{ readonly id: number }>`
      select distinct ${sql.ref(storyColumn)} as id from ${sql.table(tableName)}
      where ${sql.ref('projectId')} = ${projectId} and ${sql.ref(nameColumn)} = ${name} and ${sql.ref(userColumn)} is null`.execute(
      tx,
    );
    for (const { id } of rows) ids.add(id);
  }
  return ids.size;
}

/** Names that requested or own stories and no user is behind, those on most stories first. */
export async function keptNames(tx: Tx, projectId: number, most: number): Promise<readonly KeptName[]> {
  const { rows } = await sql<{ readonly name: string; readonly stories: number }>`
    select name, count(*) as stories from (
      select id, ${sql.ref('requestedBy')} as name from stories
        where ${sql.ref('projectId')} = ${projectId} and ${sql.ref('requesterId')} is null
      union
      select id, ${sql.ref('ownedBy')} as name from stories
        where ${sql.ref('projectId')} = ${projectId} and ${sql.ref('ownerId')} is null
    ) as named where name is not null and name <> '' group by name order by count(*) desc, name limit ${most}`.execute(
    tx,
  );
  return rows.map(({ name, stories }) => ({ name, stories: Number(stories) }));
}
