import { sql } from 'kysely';
import { MAX_COMMENTS_OF_STORY, MAX_TASKS_OF_STORY, MAX_TEXT_OF_STORY } from '../../../core/limits.ts';
import type { Note, Story, Task } from '../../../core/story/story.ts';
import type { Tx } from '../database.ts';
import type { ProjectRow } from '../projects/projects.ts';
import { countInStory, pageOfNotes, pageOfTasks } from './fittingTexts.ts';
import { toNote } from './notes.ts';
import { bytesIn } from './storyContent.ts';
import type { StoryRow } from './storyRows.ts';
import { toTask } from './tasks.ts';
import { partsOfStories, type StoryRules, storyOf, storyRules } from './wholeStory.ts';

/** A story to be written with all that hangs on it. */
export interface WholeStory {
  readonly story: Story;
  /** Its comments and tasks beyond those, of a story with more than one may have, from before there was a limit. */
  further(): AsyncIterable<Pick<Story, 'notes' | 'tasks'>>;
}

/** Stories whose rows are read at a time, and bytes of comments and tasks. */
const BATCH = 100;
const BYTES = 4_000_000;

/** Every story of a project with all that hangs on it, in priority order, the icebox last; little is read at a time, however much there is. */
export async function* storyBatches(tx: Tx, project: ProjectRow): AsyncGenerator<readonly WholeStory[]> {
  const rules = await storyRules(tx, project);
  for (const inIcebox of [0, 1]) {
    let after = '';
    for (;;) {
      const rows = await rowsAfter(tx, project.id, inIcebox, after);
      const last = rows.at(-1);
      if (!last) break;
      yield* batchesOf(tx, rows, rules);
      after = last.rank;
    }
  }
}

async function* batchesOf(tx: Tx, rows: readonly StoryRow[], rules: StoryRules): AsyncGenerator<readonly WholeStory[]> {
  const sizeOf = await sizes(
    tx,
    rows.map(({ id }) => id),
  );
  let batch: StoryRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const size = sizeOf(row.id);
    if (batch.length > 0 && (bytes + size.bytes > BYTES || size.isMore)) {
      yield await wholeStories(tx, batch, rules);
      batch = [];
      bytes = 0;
    }
    if (size.isMore) yield [await longStory(tx, row, rules)];
    else batch.push(row);
    bytes += size.isMore ? 0 : size.bytes;
  }
  if (batch.length > 0) yield await wholeStories(tx, batch, rules);
}

async function wholeStories(tx: Tx, rows: readonly StoryRow[], rules: StoryRules): Promise<readonly WholeStory[]> {
  const partsOf = await partsOfStories(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({ story: storyOf(row, partsOf(row.id), rules), further: noMore }));
}

async function* noMore(): AsyncGenerator<never> {}

/** With its first comments and tasks. */
async function longStory(tx: Tx, row: StoryRow, rules: StoryRules): Promise<WholeStory> {
  const first = { limit: undefined, offset: 0 };
  const [notes, tasks] = [await pageOfNotes(tx, row.id, first), await pageOfTasks(tx, row.id, first)];
  const { labels, attachments } = (await partsOfStories(tx, [row.id], { withTexts: false }))(row.id);
  const story = storyOf(row, { labels, attachments, notes, tasks }, rules);
  return { story, further: () => furtherParts(tx, row.id, notes.length, tasks.length) };
}

async function* furtherParts(
  tx: Tx,
  storyId: number,
  notesRead: number,
  tasksRead: number,
): AsyncGenerator<{ readonly notes: readonly Note[]; readonly tasks: readonly Task[] }> {
  for (let offset = notesRead; offset < (await countInStory(tx, 'notes', storyId)); ) {
    const notes = await pageOfNotes(tx, storyId, { limit: undefined, offset });
    yield { notes: notes.map(toNote), tasks: [] };
    offset += notes.length;
  }
  for (let offset = tasksRead; offset < (await countInStory(tx, 'tasks', storyId)); ) {
    const tasks = await pageOfTasks(tx, storyId, { limit: undefined, offset });
    yield { notes: [], tasks: tasks.map(toTask) };
    offset += tasks.length;
  }
}

/** How many bytes of comments and tasks each story has, and whether these are more than a story may have. */
async function sizes(tx: Tx, storyIds: number[]) {
  const found = new Map<number, { readonly bytes: number; readonly isMore: boolean }>();
  const kinds = [
    { table: 'notes', column: 'text', most: MAX_COMMENTS_OF_STORY },
    { table: 'tasks', column: 'description', most: MAX_TASKS_OF_STORY },
  ] as const;
  for (const { table, column, most } of kinds) {
    const rows = await tx
      .selectFrom(table)
      .select(['storyId', sql<number>`count(*)`.as('count'), sql<number>`sum(${bytesIn(column)})`.as('bytes')])
      .where('storyId', 'in', storyIds)
      .groupBy('storyId')
      .execute();
    for (const { storyId, count, bytes } of rows) {
      const before = found.get(storyId) ?? { bytes: 0, isMore: false };
      const isMore = before.isMore || count > most || bytes > MAX_TEXT_OF_STORY;
      found.set(storyId, { bytes: before.bytes + bytes, isMore });
    }
  }
  return (id: number) => found.get(id) ?? { bytes: 0, isMore: false };
}

function rowsAfter(tx: Tx, projectId: number, inIcebox: number, rank: string): Promise<StoryRow[]> {
  const rows = tx.selectFrom('stories').selectAll().where('projectId', '=', projectId).where('inIcebox', '=', inIcebox);
  return rows.where('rank', '>', rank).orderBy('rank').limit(BATCH).execute();
}

/** How many comments or tasks the story of a project has that has most. */
export async function mostInStory(tx: Tx, table: 'notes' | 'tasks', projectId: number): Promise<number> {
  const row = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('projectId', '=', projectId)
    .groupBy('storyId')
    .orderBy('count', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.count ?? 0;
}
