import { type Expression, expressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import {
  MAX_COMMENTS_OF_STORY,
  MAX_TASKS_OF_STORY,
  MAX_TEXT_OF_LOOK,
  MAX_TEXT_OF_STORY,
} from '../../../core/limits.ts';
import { rest } from '../../ground/slices.ts';
import type { Tx } from '../database.ts';
import { allRows, idList } from '../queries.ts';
import type { Schema } from '../schema.ts';

export type NoteRow = Selectable<Schema['notes']>;
export type TaskRow = Selectable<Schema['tasks']>;

/** Whose comments or tasks are read. */
type Holder = { readonly storyId: number } | { readonly storyIds: readonly number[] };
type Whole = { readonly projectId: number };

/** Rows without their long texts that are read in one go. */
const PAGE = 20_000;
/** Bytes; a longer text is read once it is known to fit. */
const SHORT = 1_024;
/** Long texts that are read in one go, and their bytes. */
const LONG_AT_ONCE = 500;
const BYTES_AT_ONCE = 4_000_000;
/** Bytes that a row takes besides its text. */
const ROW = 200;

/** What is known of a row before its text is read, and what stands behind the text, which databases find only by way of it. */
interface Head {
  readonly id: number;
  readonly storyId: number;
  readonly bytes: number;
}

/**
 * The comments of a story or of some, oldest first. Of a story that has more than it may, from before there was a limit, the newest
 * that fit: the rest is neither read nor written.
 */
export async function fittingNotes(tx: Tx, of: Holder): Promise<readonly NoteRow[]> {
  const room = new Room(MAX_COMMENTS_OF_STORY);
  const heads = await fittingHeads(room, (before) => allRows(tx, noteHeads(tx, of, before)));
  return notesOf(tx, heads.reverse());
}

/** The same for tasks, in their order. */
export async function fittingTasks(tx: Tx, of: Holder): Promise<readonly TaskRow[]> {
  const room = new Room(MAX_TASKS_OF_STORY);
  const heads = await fittingHeads(room, (before) => allRows(tx, taskHeads(tx, of, before)));
  return inOrder(await tasksOf(tx, heads.reverse()));
}

/** The same for all stories of a project; undefined where that is more than is read at once (`MAX_TEXT_OF_LOOK`). */
export async function notesOfProject(tx: Tx, projectId: number): Promise<readonly NoteRow[] | undefined> {
  const room = new Room(MAX_COMMENTS_OF_STORY);
  const heads = await fittingHeads(room, (before) => allRows(tx, noteHeads(tx, { projectId }, before)));
  return room.isFull ? undefined : notesOf(tx, heads.reverse());
}

export async function tasksOfProject(tx: Tx, projectId: number): Promise<readonly TaskRow[] | undefined> {
  const room = new Room(MAX_TASKS_OF_STORY);
  const heads = await fittingHeads(room, (before) => allRows(tx, taskHeads(tx, { projectId }, before)));
  return room.isFull ? undefined : inOrder(await tasksOf(tx, heads.reverse()));
}

function inOrder(tasks: readonly TaskRow[]): readonly TaskRow[] {
  return tasks.toSorted((one, other) => one.position - other.position);
}

/** Which of a story's comments or tasks are wanted, in their order. */
interface TextPage {
  readonly limit: number | undefined;
  readonly offset: number;
}

/** The comments of a page, oldest first: fewer than were asked for where more would not fit, but always one. */
export async function pageOfNotes(tx: Tx, storyId: number, page: TextPage): Promise<readonly NoteRow[]> {
  const heads = noteHeads(tx, { storyId }, undefined).clearOrderBy().clearLimit().orderBy('id');
  return notesOf(tx, pageThatFits(await allRows(tx, onPage(heads, page, MAX_COMMENTS_OF_STORY))));
}

/** The same of tasks, in the order in which they were added. */
export async function pageOfTasks(tx: Tx, storyId: number, page: TextPage): Promise<readonly TaskRow[]> {
  const heads = taskHeads(tx, { storyId }, undefined).clearOrderBy().clearLimit().orderBy('id');
  return tasksOf(tx, pageThatFits(await allRows(tx, onPage(heads, page, MAX_TASKS_OF_STORY))));
}

/** How many comments or tasks a story has. */
export async function countInStory(tx: Tx, table: 'notes' | 'tasks', storyId: number): Promise<number> {
  const query = tx.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'));
  return (await query.where('storyId', '=', storyId).executeTakeFirstOrThrow()).count;
}

function onPage<Q extends { limit(most: number): Q; offset(from: number): Q }>(
  heads: Q,
  { limit, offset }: TextPage,
  most: number,
): Q {
  return heads.limit(Math.min(limit ?? most, most)).offset(offset);
}

function pageThatFits<H extends Head>(heads: readonly H[]): readonly H[] {
  let bytes = 0;
  const end = heads.findIndex((head, index) => {
    bytes += head.bytes;
    return bytes > MAX_TEXT_OF_STORY && index > 0;
  });
  return end < 0 ? heads : heads.slice(0, end);
}

/** Newest first. Pages begin where the one before ended, so that no database gives all at once. */
async function fittingHeads<H extends Head>(
  room: Room,
  before: (id: number | undefined) => Promise<readonly H[]>,
): Promise<H[]> {
  const fitting: H[] = [];
  let last: number | undefined;
  for (;;) {
    const page = await before(last);
    for (const head of page) if (room.take(head)) fitting.push(head);
    if (page.length < PAGE || room.isFull) return fitting;
    last = page.at(-1)?.id;
    await rest();
  }
}

/** What is left of what each of some stories, and all of them, may take. */
class Room {
  private readonly most: number;
  private readonly stories = new Map<number, { count: number; bytes: number }>();
  private bytes = 0;

  constructor(most: number) {
    this.most = most;
  }

  get isFull(): boolean {
    return this.bytes > MAX_TEXT_OF_LOOK;
  }

  /** Whether there is room for this one, the next older one of its story. After one without room there is none for older ones. */
  take({ storyId, bytes }: Head): boolean {
    const story = this.stories.get(storyId) ?? { count: 0, bytes: 0 };
    this.stories.set(storyId, story);
    story.count += 1;
    story.bytes += bytes;
    if (story.count > this.most || story.bytes > MAX_TEXT_OF_STORY || this.isFull) return false;
    this.bytes += bytes + ROW;
    return !this.isFull;
  }
}

type NoteHead = Awaited<ReturnType<ReturnType<typeof noteHeads>['execute']>>[number];
type TaskHead = Awaited<ReturnType<ReturnType<typeof taskHeads>['execute']>>[number];

async function notesOf(tx: Tx, heads: readonly NoteHead[]): Promise<readonly NoteRow[]> {
  const long = await longRows(
    heads.filter(({ text }) => text === null),
    (ids) => tx.selectFrom('notes').selectAll().where('id', 'in', idList(ids)).execute(),
  );
  return heads.flatMap(({ bytes: _, text, author, notedAt, ...head }) =>
    text === null || author === null || notedAt === null
      ? (long.get(head.id) ?? [])
      : { ...head, text, author, notedAt },
  );
}

async function tasksOf(tx: Tx, heads: readonly TaskHead[]): Promise<readonly TaskRow[]> {
  const long = await longRows(
    heads.filter(({ description }) => description === null),
    (ids) => tx.selectFrom('tasks').selectAll().where('id', 'in', idList(ids)).execute(),
  );
  return heads.flatMap(({ bytes: _, description, position, complete, createdAt, ...head }) =>
    description === null || position === null || complete === null || createdAt === null
      ? (long.get(head.id) ?? [])
      : { ...head, description, position, complete, createdAt },
  );
}

async function longRows<R extends { readonly id: number }>(
  heads: readonly Head[],
  read: (ids: number[]) => Promise<readonly R[]>,
): Promise<ReadonlyMap<number, R>> {
  const found = new Map<number, R>();
  for (const batch of batches(heads)) {
    for (const row of await read(batch)) found.set(row.id, row);
    await rest();
  }
  return found;
}

function batches(heads: readonly Head[]): readonly number[][] {
  const all: number[][] = [];
  let bytes = 0;
  for (const head of heads) {
    const current = all.at(-1);
    bytes += head.bytes;
    if (current && current.length < LONG_AT_ONCE && bytes <= BYTES_AT_ONCE) current.push(head.id);
    else {
      all.push([head.id]);
      bytes = head.bytes;
    }
  }
  return all;
}

/**
 * What each look at a story asks for is written out: made of parts, it would take longer to put together than to answer. Columns that
 * stand behind a text are told of where the text is short.
 */
function noteHeads(tx: Tx, of: Holder | Whole, before: number | undefined) {
  return tx
    .selectFrom('notes')
    .select(['id', 'projectId', 'storyId', sql<number>`octet_length("text")`.as('bytes')])
    .select(sql<string | null>`case when octet_length("text") <= ${SHORT} then "text" end`.as('text'))
    .select(sql<string | null>`case when octet_length("text") <= ${SHORT} then "author" end`.as('author'))
    .select(sql<number | null>`case when octet_length("text") <= ${SHORT} then "authorId" end`.as('authorId'))
    .select(sql<number | null>`case when octet_length("text") <= ${SHORT} then "notedAt" end`.as('notedAt'))
    .where(heldBy(of, before))
    .orderBy('id', 'desc')
    .limit(PAGE);
}

function taskHeads(tx: Tx, of: Holder | Whole, before: number | undefined) {
  return tx
    .selectFrom('tasks')
    .select(['id', 'projectId', 'storyId', sql<number>`octet_length("description")`.as('bytes')])
    .select(
      sql<string | null>`case when octet_length("description") <= ${SHORT} then "description" end`.as('description'),
    )
    .select(sql<number | null>`case when octet_length("description") <= ${SHORT} then "position" end`.as('position'))
    .select(sql<number | null>`case when octet_length("description") <= ${SHORT} then "complete" end`.as('complete'))
    .select(sql<number | null>`case when octet_length("description") <= ${SHORT} then "createdAt" end`.as('createdAt'))
    .where(heldBy(of, before))
    .orderBy('id', 'desc')
    .limit(PAGE);
}

/** Whose rows, and only those before one. */
function heldBy(of: Holder | Whole, before: number | undefined): Expression<SqlBool> {
  const { eb, and } = expressionBuilder<Schema, 'notes' | 'tasks'>();
  const held =
    'storyId' in of
      ? eb('storyId', '=', of.storyId)
      : 'projectId' in of
        ? eb('projectId', '=', of.projectId)
        : eb('storyId', 'in', idList(of.storyIds));
  return before === undefined ? held : and([held, eb('id', '<', before)]);
}
