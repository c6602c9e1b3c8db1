import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from './database.ts';
import type { Schema } from './schema.ts';
import type { StoryRow } from './stories/storyRows.ts';

/** Which story came of which one in a file. */
export type Mapping = Selectable<Schema['importedStories']>;

/** By the stories' ids where they came from. */
export async function mappingsOf(
  tx: Tx,
  projectId: number,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, Mapping>> {
  if (externalIds.length === 0) return new Map();
  const query = tx.selectFrom('importedStories').selectAll().where('projectId', '=', projectId);
  const rows = await query.where('externalId', 'in', [...externalIds]).execute();
  return new Map(rows.map((row) => [row.externalId, row]));
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
  const rows = await tx.selectFrom('stories').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Which of these ids stories have already, whatever their project. */
export async function takenIds(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .selectFrom('stories')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export async function addMappings(tx: Tx, mappings: readonly Mapping[]): Promise<void> {
  await tx
    .insertInto('importedStories')
    .values([...mappings])
    .execute();
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

/** Makes databases that count apart from what is there go on behind ids that were given to them. */
export async function raiseNumbers(tx: Tx, countsApart: boolean): Promise<void> {
  if (!countsApart) return;
  for (const table of ['stories', 'projects']) {
    const sequence = sql`pg_get_serial_sequence(${`"${table}"`}, 'id')`;
    const highest = sql`(select coalesce(max("id"), 1) from ${sql.table(table)})`;
    await sql`select setval(${sequence}, greatest(${highest}, nextval(${sequence}::regclass)))`.execute(tx);
  }
}

/** What hangs on stories that are imported. */
export interface PartRows {
  readonly storyLabels: Insertable<Schema['storyLabels']>[];
  readonly notes: Insertable<Schema['notes']>[];
  readonly tasks: Insertable<Schema['tasks']>[];
  readonly attachments: Insertable<Schema['attachments']>[];
}

/** Rows written at once: few enough for what either database takes. */
const CHUNK = 500;

export async function insertParts(tx: Tx, { storyLabels, notes, tasks, attachments }: PartRows): Promise<void> {
  for (const rows of chunks(storyLabels)) await tx.insertInto('storyLabels').values(rows).execute();
  for (const rows of chunks(notes)) await tx.insertInto('notes').values(rows).execute();
  for (const rows of chunks(tasks)) await tx.insertInto('tasks').values(rows).execute();
  for (const rows of chunks(attachments)) await tx.insertInto('attachments').values(rows).execute();
}

function chunks<R>(rows: readonly R[]): R[][] {
  const parts: R[][] = [];
  for (let from = 0; from < rows.length; from += CHUNK) parts.push(rows.slice(from, from + CHUNK));
  return parts;
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
