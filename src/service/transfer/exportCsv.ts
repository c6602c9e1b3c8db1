import { namedDay } from '../../core/calendarDay.ts';
import type { IterationSlot } from '../../core/plannedIteration.ts';
import { plan } from '../../core/planning.ts';
import type { Story } from '../../core/story.ts';
import { isEstimatable } from '../../core/workflow.ts';
import type { ZonedDate } from '../../core/zonedDate.ts';
import { planningRules } from '../cache/projectViews.ts';
import type { Tx } from '../store/database.ts';
import type { ProjectRow } from '../store/projects.ts';
import { rulesOf } from '../useCases/storyRules.ts';
import { writeCsvComment } from './csvComment.ts';
import { csvLine } from './csvLine.ts';
import { storyBatches } from './storyBatches.ts';

const COLUMNS = [
  ...['Id', 'Title', 'Labels', 'Iteration', 'Iteration Start', 'Iteration End', 'Type', 'Estimate', 'Current State'],
  ...['Created at', 'Accepted at', 'Deadline', 'Requested By', 'Description', 'URL', 'Owned By'],
];

interface Table {
  readonly base: string | undefined;
  /** Of each story that is in one. */
  readonly iterations: ReadonlyMap<number, IterationSlot>;
  readonly notes: number;
  readonly tasks: number;
}

/** The stories of a project as the table that the closed service exported, in pieces. Days are in UTC. */
export async function* exportCsv(
  tx: Tx,
  project: ProjectRow,
  base: string | undefined,
  now: number,
): AsyncGenerator<string> {
  const [notes, tasks] = [await most(tx, 'notes', project.id), await most(tx, 'tasks', project.id)];
  const table = { base, iterations: await iterationsOf(tx, project, now), notes, tasks };
  const comments = Array.from({ length: notes }, () => 'Comment');
  yield csvLine([...COLUMNS, ...comments, ...Array.from({ length: tasks }, () => ['Task', 'Task Status']).flat()]);
  for await (const batch of storyBatches(tx, project)) {
    yield batch.map((story) => csvLine(cellsOf(story, table))).join('');
  }
}

function cellsOf(story: Story, { base, iterations, notes, tasks }: Table): readonly string[] {
  const iteration = iterations.get(story.id);
  const { estimate = -1 } = story;
  const comments = story.notes.map(({ text, author = '', notedAt }) =>
    writeCsvComment({ text, author, ...(notedAt?.time !== undefined && { notedAt: notedAt.time }) }),
  );
  const done = story.tasks.flatMap(({ description, complete }) => [
    description,
    complete ? 'completed' : 'not completed',
  ]);
  return [
    ...[String(story.id), story.name, story.labels.join(', '), iteration ? String(iteration.number) : ''],
    ...[iteration ? namedDay(iteration.start) : '', iteration ? namedDay(iteration.finish - 1) : ''],
    ...[story.type, estimate < 0 ? '' : String(estimate), story.state],
    ...[day(story.createdAt), day(story.acceptedAt), day(story.deadline)],
    ...[story.requestedBy ?? '', story.description ?? '', base === undefined ? '' : `${base}/story/show/${story.id}`],
    ...[story.ownedBy ?? '', ...filled(comments, notes), ...filled(done, 2 * tasks)],
  ];
}

function day(date: ZonedDate | undefined): string {
  return date?.time === undefined ? '' : namedDay(date.time);
}

function filled(cells: readonly string[], length: number): readonly string[] {
  return [...cells, ...Array.from({ length: length - cells.length }, () => '')];
}

/** How many comments or tasks the story has that has most. */
async function most(tx: Tx, table: 'notes' | 'tasks', projectId: number): Promise<number> {
  const row = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('projectId', '=', projectId)
    .groupBy('storyId')
    .orderBy('count', 'desc')
    .limit(1)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** Plans with the little of every story that planning needs. */
async function iterationsOf(tx: Tx, project: ProjectRow, now: number): Promise<Table['iterations']> {
  const rows = await tx
    .selectFrom('stories')
    .select(['id', 'type', 'state', 'estimate', 'acceptedAt'])
    .where('projectId', '=', project.id)
    .orderBy('inIcebox')
    .orderBy('rank')
    .execute();
  const rules = rulesOf(project);
  const estimated = rows.map((row) => (isEstimatable(row.type, rules) ? row : { ...row, estimate: null }));
  const { done, current, backlog } = plan(estimated, await planningRules(tx, project), now);
  const iterations = new Map<number, IterationSlot>();
  for (const iteration of [...done, current, ...backlog]) {
    for (const { id } of iteration.stories) iterations.set(id, iteration);
  }
  return iterations;
}
