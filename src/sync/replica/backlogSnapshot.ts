import type { DatabaseSync } from 'node:sqlite';
import type { BacklogLists, ReplicaProject } from '../../core/replica/replica.ts';
import type { Activity } from '../../core/story/activity.ts';
import type { Project } from '../../core/story/project.ts';
import type { Story } from '../../core/story/story.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { hasAccount, madeAccountKey, nextRevision, rowOf, rowsOf, stateOf, valueIn } from '../file/replicaRows.ts';
import { putActivities } from './activityLog.ts';
import type { Cursor } from './cursor.ts';
import { inSlices } from './inSlices.ts';
import { digestOf } from './laidOutLists.ts';
import { ListsCache } from './listsCache.ts';
import { type Places, withoutDuplicatePlaces, writePlaces } from './places.ts';
import type { KnownBacklog } from './planRefresh.ts';

/** A project's copy as a refresh found it, for telling whether another window has changed it since. */
export interface BacklogSnapshot {
  readonly epoch: string;
  readonly account: number;
  readonly projectId: number;
  /** Counts refreshes; 0 before the first. */
  readonly stamp: number;
  readonly revision: number;
  /** As in the account's list of projects. */
  readonly listed?: Project;
  /** Absent when the project was never read. */
  readonly known?: KnownBacklog;
  readonly kept: ListsCache;
}

/** What tells of the order of open lists. */
export interface OrderFacts {
  /** See orderDigest.ts; made of the lists when left out. */
  readonly digest?: string;
  /** Absent where the server tells no ranks. */
  readonly places?: Places;
}

/** What a refresh found out. */
export interface BacklogUpdate {
  readonly project: Project;
  readonly cursor?: Cursor;
  /** Absent when they stay as they are. */
  readonly lists?: BacklogLists;
  /** The only stories that left the lists, where these were made here of those that are known. */
  readonly gone?: ReadonlySet<number>;
  /** Given when the open lists, or the places in them, were found anew. */
  readonly order?: OrderFacts;
  /** Those that were read; others stay as they are, and go when they are in no list. */
  readonly stories: readonly Story[];
  /** What happened since the last refresh; the latest few when everything was read. */
  readonly activities: readonly Activity[];
  readonly readAt: number;
  /** When the feed was asked, where it was, and when all answers were there. */
  readonly heardAt?: number;
  readonly seenAt?: number;
  readonly isWhole: boolean;
}

export async function backlogSnapshot(file: ReplicaFile, project: ReplicaProject): Promise<BacklogSnapshot> {
  await file.ready();
  return file.change((database) => {
    const account = madeAccountKey(database, project);
    const at = [account, project.projectId] as const;
    const row = rowOf(database, BACKLOG, ...at);
    const listed = rowOf(database, 'SELECT value FROM project WHERE account = ? AND id = ?', ...at);
    const kept = ListsCache.of(file, at, versionIn(database, at));
    return {
      ...{ ...stateOf(database), account, projectId: project.projectId, stamp: Number(row?.stamp ?? 0), kept },
      ...(listed && { listed: valueIn<Project>(listed, 'value') }),
      ...(row && { known: { ...knownOf(row), ids: kept, unsureIds: unsureIds(database, at) } }),
    };
  });
}

/** Stamps begin anew when a project was gone in the meantime, revisions never. */
function versionIn(database: DatabaseSync, at: readonly [number, number]): string {
  const row = rowOf(database, 'SELECT stamp, listsRevision FROM backlog WHERE account = ? AND id = ?', ...at);
  return JSON.stringify([stateOf(database).epoch, ...at, row?.stamp, row?.listsRevision]);
}

/** The type of `places` is known without reading through the long values before it. */
const BACKLOG = `
  SELECT backlog.*, endsAt, digest, typeof(places) <> 'null' AS hasPlaces FROM backlog
  LEFT JOIN lists ON lists.account = backlog.account AND lists.project = backlog.id
  WHERE backlog.account = ? AND backlog.id = ?`;

function knownOf(row: Readonly<Record<string, unknown>>): Omit<KnownBacklog, 'unsureIds' | 'ids'> {
  const { endsAt, digest, heardAt, stillSince } = row;
  return {
    project: valueIn<Project>(row, 'value'),
    ...(row.cursor !== null && { cursor: valueIn<Cursor>(row, 'cursor') }),
    readAt: Number(row.readAt),
    wholeReadAt: Number(row.wholeReadAt),
    hasPlaces: row.hasPlaces === 1,
    ...(typeof endsAt === 'number' && { endsAt }),
    ...(typeof digest === 'string' && { digest }),
    ...(typeof heardAt === 'number' && { heardAt }),
    ...(typeof stillSince === 'number' && { stillSince }),
  };
}

function unsureIds(database: DatabaseSync, at: readonly [number, number]): readonly number[] {
  const sql = 'SELECT id FROM story WHERE account = ? AND project = ? AND unsureAt IS NOT NULL';
  return rowsOf(database, sql, ...at).map(({ id }) => Number(id));
}

interface Written {
  readonly id: number;
  readonly value: string;
  readonly isNew: boolean;
}

/**
 * Takes over what a refresh found out, all or nothing. `false`, and nothing taken over, when another window was quicker
 * or someone signed out: answers older than those that are there must not replace them.
 */
export async function takeOver(file: ReplicaFile, held: BacklogSnapshot, found: BacklogUpdate): Promise<boolean> {
  await file.ready();
  const update = found.lists && !found.gone ? { ...found, lists: withoutDuplicatePlaces(found.lists) } : found;
  const written = await compared(file, held, update.stories);
  const version = file.change((database) => {
    if (!isStill(database, held)) return undefined;
    putBacklog(database, held, update);
    if (update.lists || update.order || written.length > 0) putFound(database, held, update, written);
    putActivities(database, held.account, held.projectId, update.activities, { isFirst: held.known === undefined });
    return versionIn(database, [held.account, held.projectId]);
  });
  if (version === undefined) return false;
  held.kept.keepAs(version, update.lists, update.order);
  return true;
}

function putFound(
  database: DatabaseSync,
  held: BacklogSnapshot,
  update: BacklogUpdate,
  written: readonly Written[],
): void {
  const revision = nextRevision(database);
  const before = update.lists && !update.gone && held.kept.lists;
  if (update.lists) putLists(database, held, update.lists, revision);
  if (update.order) putOrder(database, held, update.lists, update.order);
  putStories(database, held, written, revision);
  if (before && update.lists) removeUnlisted(database, held, before, update.lists);
  if (update.gone) removeStories(database, held, update.gone);
}

function isStill(database: DatabaseSync, { epoch, account, projectId, stamp }: BacklogSnapshot): boolean {
  if (stateOf(database).epoch !== epoch) return false;
  if (!hasAccount(database, account)) return false;
  const row = rowOf(database, 'SELECT stamp FROM backlog WHERE account = ? AND id = ?', account, projectId);
  return Number(row?.stamp ?? 0) === stamp;
}

/** Whether someone signed out since then; not so when the whole file was made anew. */
export function isForgotten(file: ReplicaFile, { epoch, account }: BacklogSnapshot): boolean {
  return file.run((database) => stateOf(database).epoch === epoch && !hasAccount(database, account));
}

async function compared(
  file: ReplicaFile,
  { account, projectId }: BacklogSnapshot,
  stories: readonly Story[],
): Promise<readonly Written[]> {
  const written: Written[] = [];
  await inSlices(stories, (slice) =>
    file.run((database) => {
      const select = database.prepare('SELECT value FROM story WHERE account = ? AND project = ? AND id = ?');
      for (const story of slice) {
        const value = JSON.stringify(story);
        written.push({ id: story.id, value, isNew: select.get(account, projectId, story.id)?.value !== value });
      }
    }),
  );
  return written;
}

function putBacklog(database: DatabaseSync, held: BacklogSnapshot, update: BacklogUpdate): void {
  const { account, projectId, known } = held;
  const { project, cursor, readAt, isWhole, heardAt, seenAt } = update;
  const isStill = known?.project.lastActivityAt?.text === project.lastActivityAt?.text;
  const stillSince = isStill ? (known?.stillSince ?? seenAt) : seenAt;
  rowOf(
    database,
    PUT_BACKLOG,
    ...[account, projectId, JSON.stringify(project), cursor ? JSON.stringify(cursor) : null],
    ...[readAt, isWhole ? 1 : 0, heardAt ?? null, stillSince ?? null],
  );
}

const PUT_BACKLOG = `
  INSERT INTO backlog (account, id, value, listsRevision, cursor, readAt, wholeReadAt, stamp, heardAt, stillSince)
  VALUES (?1, ?2, ?3, 0, ?4, ?5, ?5, 1, ?7, ?8)
  ON CONFLICT (account, id) DO UPDATE SET
    value = ?3, cursor = ?4, readAt = ?5, wholeReadAt = iif(?6, ?5, wholeReadAt), stamp = stamp + 1,
    heardAt = ifnull(?7, heardAt), stillSince = ?8`;

/** Lists are long, so that those which stay as they are are not written again. */
function putLists(database: DatabaseSync, held: BacklogSnapshot, lists: BacklogLists, revision: number): void {
  const at = [held.account, held.projectId] as const;
  const { changes } = database
    .prepare(
      `INSERT INTO lists (account, project, value) VALUES (?1, ?2, ?3)
       ON CONFLICT (account, project) DO UPDATE SET value = ?3 WHERE value <> ?3`,
    )
    .run(...at, JSON.stringify(lists));
  if (changes === 0) return;
  database.prepare('UPDATE backlog SET listsRevision = ? WHERE account = ? AND id = ?').run(revision, ...at);
}

function putOrder(
  database: DatabaseSync,
  { account, projectId, known }: BacklogSnapshot,
  lists: BacklogLists | undefined,
  { digest = lists ? digestOf(lists) : known?.digest, places }: OrderFacts,
): void {
  const endsAt = lists ? lists.iterations[0]?.finish?.time : known?.endsAt;
  database
    .prepare('UPDATE lists SET digest = ?, places = ?, endsAt = ? WHERE account = ? AND project = ?')
    .run(digest ?? null, places ? writePlaces(places) : null, endsAt ?? null, account, projectId);
}

function putStories(
  database: DatabaseSync,
  held: BacklogSnapshot,
  written: readonly Written[],
  revision: number,
): void {
  const { account, projectId } = held;
  const upsert = database.prepare(
    `INSERT INTO story (account, project, id, value, revision) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT (account, project, id) DO UPDATE SET value = ?4, revision = ?5 WHERE ifnull(unsureAt, 0) <= ?6`,
  );
  // What was put in while this refresh was under way may be older or newer than its answers: it stays as what someone
  // has just done here, and is read again.
  for (const { id, value, isNew } of written) {
    if (isNew) upsert.run(account, projectId, id, value, revision, held.revision);
  }
  const sure = database.prepare(
    'UPDATE story SET unsureAt = NULL WHERE account = ? AND project = ? AND id = ? AND unsureAt <= ?',
  );
  for (const id of held.known?.unsureIds ?? []) {
    if (written.some((story) => story.id === id)) sure.run(account, projectId, id, held.revision);
  }
}

function removeUnlisted(database: DatabaseSync, held: BacklogSnapshot, before: BacklogLists, now: BacklogLists): void {
  const kept = new Set(listedIds(now));
  removeStories(
    database,
    held,
    listedIds(before).filter((id) => !kept.has(id)),
  );
}

function removeStories(database: DatabaseSync, { account, projectId }: BacklogSnapshot, ids: Iterable<number>): void {
  const remove = database.prepare('DELETE FROM story WHERE account = ? AND project = ? AND id = ?');
  for (const id of ids) remove.run(account, projectId, id);
}

export function listedIds({ iterations, icebox, done }: BacklogLists): readonly number[] {
  return [...[...done, ...iterations].flatMap(({ storyIds }) => storyIds), ...icebox];
}
