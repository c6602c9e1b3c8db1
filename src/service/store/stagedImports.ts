import { randomInt, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Insertable, type Selectable, sql } from 'kysely';
import { errorCode } from '../ground/errors.ts';
import { rest } from '../ground/slices.ts';
import type { Tx } from './database.ts';
import { idList, pieces } from './queries.ts';
import type { Schema } from './schema.ts';

export type ImportRow = Selectable<Schema['imports']>;
type StagedRow = Selectable<Schema['stagedStories']>;

/** The largest number of an import, whose negative is the number of the project that holds what it made. */
export const LAST_IMPORT = 2_147_483_647;
/** Milliseconds without progress after which the process of an import is taken for dead, wherever it ran. */
const LONGEST_SILENCE = 2 * 60_000;

const TOKEN = randomUUID();

interface Owner {
  readonly host: string;
  readonly pid: number;
  readonly token: string;
}

export function newImportId(): number {
  return randomInt(1, LAST_IMPORT);
}

/** Adds an import of this process. */
export async function addImport(tx: Tx, id: number, userId: number | null, now: number): Promise<void> {
  const owner: Owner = { host: hostname(), pid: process.pid, token: TOKEN };
  await tx
    .insertInto('imports')
    .values({
      id,
      userId,
      projectId: null,
      owner: JSON.stringify(owner),
      startedAt: now,
      touchedAt: now,
      part: 0,
      stories: 0,
      addedUsers: '[]',
    })
    .execute();
}

export async function importById(tx: Tx, id: number): Promise<ImportRow | undefined> {
  return tx.selectFrom('imports').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Changes the row of an import; false when it was taken for dead and is not there any more. */
export async function changeImport(
  tx: Tx,
  id: number,
  change: Partial<Pick<ImportRow, 'projectId' | 'touchedAt' | 'part' | 'stories' | 'addedUsers'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.updateTable('imports').set(change).where('id', '=', id).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function endImport(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('imports').where('id', '=', id).execute();
}

/** How many imports of a user are under way. */
export async function importsOfUser(tx: Tx, userId: number): Promise<number> {
  const query = tx.selectFrom('imports').select(({ fn }) => fn.countAll<number>().as('count'));
  return (await query.where('userId', '=', userId).executeTakeFirstOrThrow()).count;
}

/** Imports whose process is dead or has been silent for long. */
export async function deadImports(tx: Tx, now: number): Promise<readonly ImportRow[]> {
  const rows = await tx.selectFrom('imports').selectAll().execute();
  return rows.filter((row) => now - row.touchedAt > LONGEST_SILENCE || isDead(row));
}

function isDead({ owner }: ImportRow): boolean {
  const { host, pid, token } = JSON.parse(owner) as Owner;
  if (host !== hostname() || token === TOKEN) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'ESRCH';
  }
}

/** Numbers of imports of which only staged rows are left. */
export async function endedImports(tx: Tx): Promise<readonly number[]> {
  const rows = await tx
    .selectFrom('stagedStories')
    .select('importId')
    .distinct()
    .where('importId', 'not in', (others) => others.selectFrom('imports').select('id'))
    .execute();
  return rows.map(({ importId }) => importId);
}

/** Removes some of the staged rows of an import; false when there are no more. */
export async function removeStaged(tx: Tx, importId: number, most: number): Promise<boolean> {
  const some = tx.selectFrom('stagedStories').select('place').where('importId', '=', importId).limit(most);
  const rows = await some.execute();
  if (rows.length === 0) return false;
  const places = idList(rows.map(({ place }) => place));
  await tx.deleteFrom('stagedStories').where('importId', '=', importId).where('place', 'in', places).execute();
  return rows.length === most;
}

/** Removes some of the stories of a project with what hangs on them; false when there are no more. */
export async function removeSomeStories(tx: Tx, projectId: number, most: number): Promise<boolean> {
  const some = tx.selectFrom('stories').select('id').where('projectId', '=', projectId).limit(most);
  const found = (await some.execute()).map(({ id }) => id);
  if (found.length === 0) return false;
  const ids = idList(found);
  await tx.deleteFrom('importedStories').where('storyId', 'in', ids).execute();
  await tx.deleteFrom('stories').where('id', 'in', ids).execute();
  return found.length === most;
}

/** Removes users who were made for an import and have nothing of their own yet. */
export async function removeAddedUsers(tx: Tx, { addedUsers }: ImportRow): Promise<void> {
  const ids = JSON.parse(addedUsers) as number[];
  if (ids.length === 0) return;
  await tx
    .deleteFrom('users')
    .where('id', 'in', ids)
    .where('id', 'not in', (others) => others.selectFrom('memberships').select('userId'))
    .where('id', 'not in', (others) => others.selectFrom('tokens').select('userId'))
    .execute();
}

/** Which of the ids stood in the file before. */
export async function stagedIds(
  tx: Tx,
  importId: number,
  externalIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (externalIds.length === 0) return new Set();
  const query = tx.selectFrom('stagedStories').select('externalId').where('importId', '=', importId);
  const rows = await query.where('externalId', 'in', idList(externalIds)).execute();
  return new Set(rows.map(({ externalId }) => externalId));
}

export async function addStaged(tx: Tx, rows: readonly Insertable<Schema['stagedStories']>[]): Promise<void> {
  for (const piece of pieces(rows)) await tx.insertInto('stagedStories').values(piece).execute();
}

type Page = { readonly after: number; readonly limit: number };

/** Those that are there and are to be changed, in the order of the file. */
export async function stagedChanges(tx: Tx, importId: number, { after, limit }: Page): Promise<readonly StagedRow[]> {
  return staged(tx, importId, { after, limit }).selectAll().where('payload', 'is not', null).execute();
}

/** All in the order of the file, without what is to be changed. */
export async function stagedOrder(tx: Tx, importId: number, page: Page) {
  return staged(tx, importId, page).select(['place', 'storyId', 'before', 'inIcebox', 'isGone']).execute();
}

function staged(tx: Tx, importId: number, { after, limit }: Page) {
  return tx
    .selectFrom('stagedStories')
    .where('importId', '=', importId)
    .where('place', '>', after)
    .orderBy('place')
    .limit(limit);
}

/** Makes places in the file before those in this one where they differ, some at a time, so that the thread is not held. */
export async function takePlaces(tx: Tx, importId: number, projectId: number, some: number): Promise<void> {
  const place = sql<number>`(select s."place" from "stagedStories" s where s."importId" = ${importId}
    and s."externalId" = "importedStories"."externalId")`;
  for (let after = -1; ; ) {
    const moved = staged(tx, importId, { after, limit: some }).whereRef('before', '<>', 'place');
    const rows = await moved.select(['place', 'externalId']).execute();
    const last = rows.at(-1);
    if (!last) return;
    await tx
      .updateTable('importedStories')
      .set({ place })
      .where('projectId', '=', projectId)
      .where('externalId', 'in', idList(rows.map(({ externalId }) => externalId)))
      .execute();
    after = last.place;
    await rest();
  }
}

/** Where stories that are taken over come to stand: behind these ranks, one for each list; null where a list is empty. */
type RankPrefixes = readonly [backlog: string | null, icebox: string | null];

/** Whose stories go where, and how many at a time. */
interface TakeOver {
  readonly from: number;
  readonly to: number;
  readonly prefixes: RankPrefixes;
  readonly some: number;
}

/**
 * Gives a project all stories of the hidden one, behind its own, some at a time, so that the thread is not held. What hangs on them is in the
 * project already, all but the labels, which are few.
 */
export async function takeStories(tx: Tx, { from, to, prefixes, some }: TakeOver): Promise<void> {
  for (const inIcebox of [0, 1] as const) {
    const prefix = prefixes[inIcebox];
    // A rank does not end with a zero, so that others fit between it and the one before.
    const rank = prefix === null ? sql.ref<string>('rank') : sql<string>`${prefix} || ${sql.ref('rank')} || 'V'`;
    for (let taken = BigInt(some); taken >= some; await rest()) {
      const next = tx.selectFrom('stories as next').select('next.id').where('next.projectId', '=', from);
      const ids = next.where('next.inIcebox', '=', inIcebox).orderBy('next.rank').limit(some);
      const update = tx.updateTable('stories').set({ projectId: to, rank }).where('id', 'in', ids);
      taken = (await update.executeTakeFirstOrThrow()).numUpdatedRows;
    }
  }
}

/** Whose labels go where, and which of two labels of a name is given up: the one that fewer stories have. */
interface LabelsTakeOver {
  readonly from: number;
  readonly to: number;
  readonly givesUp: 'from' | 'to';
}

/** Gives a project the labels of the hidden one; of two of the same name, stories get the one that stays. */
export async function takeLabels(tx: Tx, { from, to, givesUp }: LabelsTakeOver): Promise<void> {
  const [old, kept] = givesUp === 'from' ? [from, to] : [to, from];
  const same = await tx
    .selectFrom('labels as old')
    .innerJoin('labels as kept', 'kept.name', 'old.name')
    .select(['old.id as old', 'kept.id as kept'])
    .where('old.projectId', '=', old)
    .where('kept.projectId', '=', kept)
    .execute();
  for (const { old: labelId, kept: id } of same) {
    await tx.updateTable('storyLabels').set({ labelId: id }).where('labelId', '=', labelId).execute();
    await tx.deleteFrom('labels').where('id', '=', labelId).execute();
    await rest();
  }
  await tx.updateTable('labels').set({ projectId: to }).where('projectId', '=', from).execute();
}
