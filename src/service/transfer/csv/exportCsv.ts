import type { IterationSlot } from '../../../core/backlog/plannedIteration.ts';
import type { Story } from '../../../core/story/story.ts';
import { projectPlan } from '../../cache/projectPlan.ts';
import type { Tx } from '../../store/database.ts';
import { overridesOfProject } from '../../store/projects/projectParts.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { mostInStory, storyBatches } from '../../store/stories/storyBatches.ts';
import { planningRows } from '../../store/stories/storyRows.ts';
import { cellOfText, csvLine, writeCsvComment } from './csvCells.ts';
import { CSV_COLUMNS } from './csvRow.ts';

/** Columns of comments, and of tasks. A story with more goes on in further rows, so that one story does not widen those of all. */
const MOST_COLUMNS = 20;
const COLUMNS = Object.values(CSV_COLUMNS);

interface Table {
  readonly base: string | undefined;
  /** Of each story that is in one. */
  readonly iterations: ReadonlyMap<number, IterationSlot>;
  readonly notes: number;
  readonly tasks: number;
}

/**
 * The stories of a project as the table that the closed service exported, in pieces. Days are in UTC. Comments and tasks that a row has
 * no columns for follow in rows that hold nothing but them and the story's id.
 */
export async function* exportCsv(
  tx: Tx,
  project: ProjectRow,
  base: string | undefined,
  now: number,
): AsyncGenerator<string> {
  const [notes, tasks] = [await columns(tx, 'notes', project.id), await columns(tx, 'tasks', project.id)];
  const table = { base, iterations: await iterationsOf(tx, project, now), notes, tasks };
  const comments = Array.from({ length: notes }, () => 'Comment');
  yield csvLine([
    ...COLUMNS.map(({ title }) => title),
    ...comments,
    ...Array.from({ length: tasks }, () => ['Task', 'Task Status']).flat(),
  ]);
  for await (const batch of storyBatches(tx, project)) {
    for (const { story, further } of batch) {
      const [first = [], ...others] = partsOf(story, table);
      yield [[...cellsOf(story, table), ...first], ...others.map((parts) => furtherRow(story, parts))]
        .map(csvLine)
        .join('');
      for await (const more of further()) {
        yield partsOf(more, table)
          .map((parts) => csvLine(furtherRow(story, parts)))
          .join('');
      }
    }
  }
}

/** Holds nothing but the story's id and comments and tasks. */
function furtherRow({ id }: Story, parts: readonly string[]): readonly string[] {
  return [...filled([String(id)], COLUMNS.length), ...parts];
}

/** The cells of comments and tasks, row by row. */
function partsOf(story: Pick<Story, 'notes' | 'tasks'>, table: Table): readonly (readonly string[])[] {
  const comments = story.notes.map(({ text, author = '', notedAt }) =>
    cellOfText(writeCsvComment({ text, author, ...(notedAt?.time !== undefined && { notedAt: notedAt.time }) })),
  );
  const tasks = story.tasks.flatMap(({ description, complete }) => [
    cellOfText(description),
    complete ? 'completed' : 'not completed',
  ]);
  const [notesWidth, tasksWidth] = [table.notes, 2 * table.tasks];
  const parts = (row: number): readonly string[] => [
    ...filled(comments.slice(row * notesWidth, (row + 1) * notesWidth), notesWidth),
    ...filled(tasks.slice(row * tasksWidth, (row + 1) * tasksWidth), tasksWidth),
  ];
  const rows = Math.max(rowsFor(comments, notesWidth), rowsFor(tasks, tasksWidth));
  return Array.from({ length: rows }, (_, row) => parts(row));
}

function rowsFor(cells: readonly string[], width: number): number {
  return cells.length === 0 ? 1 : Math.ceil(cells.length / width);
}

function cellsOf(story: Story, { base, iterations }: Table): readonly string[] {
  const place = { base, iteration: iterations.get(story.id) };
  return COLUMNS.map(({ cell }) => cell(story, place));
}

function filled(cells: readonly string[], length: number): readonly string[] {
  return [...cells, ...Array.from({ length: length - cells.length }, () => '')];
}

/** How many columns the comments or tasks take: as many as the story has that has most, where that is not too many. */
async function columns(tx: Tx, table: 'notes' | 'tasks', projectId: number): Promise<number> {
  return Math.min(await mostInStory(tx, table, projectId), MOST_COLUMNS);
}

/** Plans with the little of every story that planning needs. */
async function iterationsOf(tx: Tx, project: ProjectRow, now: number): Promise<Table['iterations']> {
  const rows = await planningRows(tx, project.id);
  const { done, current, backlog } = projectPlan(project, rows, await overridesOfProject(tx, project.id), now);
  const iterations = new Map<number, IterationSlot>();
  for (const iteration of [...done, current, ...backlog]) {
    for (const { id } of iteration.stories) iterations.set(id, iteration);
  }
  return iterations;
}
