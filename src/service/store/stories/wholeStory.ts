import { isEstimatable } from '../../../core/backlog/workflow.ts';
import { type Story, type Ticket, UNESTIMATED } from '../../../core/story/story.ts';
import type { Tx } from '../database.ts';
import { type IntegrationRow, integrationsOfProject } from '../projects/projectParts.ts';
import type { ProjectRow } from '../projects/projects.ts';
import { allRows, idList, knownQuery } from '../queries.ts';
import { type AttachmentRow, toAttachment } from './attachments.ts';
import {
  fittingNotes,
  fittingTasks,
  type NoteRow,
  notesOfProject,
  type TaskRow,
  tasksOfProject,
} from './fittingTexts.ts';
import { toNote } from './notes.ts';
import type { StoryRow } from './storyRows.ts';
import { storyOfRow } from './storyTable.ts';
import { toTask } from './tasks.ts';

/** What a project says about all of its stories. */
export interface StoryRules extends EstimateRules {
  readonly integrations: readonly IntegrationRow[];
}

type EstimateRules = Pick<ProjectRow, 'bugsAndChoresAreEstimatable'>;

/** A row and what hangs on it as a story; its page's address depends on who asks and is added later. */
export function storyOf(row: StoryRow, parts: StoryParts, rules: StoryRules): Story {
  return storyOfRow(row, {
    estimate: estimateOf(row, rules),
    ticket: ticketOf(row, rules.integrations),
    labels: parts.labels.map(({ name }) => name),
    attachments: parts.attachments.map(toAttachment),
    notes: parts.notes.map(toNote),
    tasks: parts.tasks.map(toTask),
  });
}

/** -1 while it can be estimated and is not; undefined for types that are not estimated (protocol.md, Elements: story). */
function estimateOf(row: Pick<StoryRow, 'type' | 'estimate'>, project: EstimateRules): number | undefined {
  const rules = { bugsAndChoresAreEstimatable: project.bugsAndChoresAreEstimatable === 1 };
  return isEstimatable(row.type, rules) ? (row.estimate ?? UNESTIMATED) : undefined;
}

function ticketOf({ externalId, integrationId }: StoryRow, all: readonly IntegrationRow[]): Ticket | undefined {
  const integration = all.find(({ id }) => id === integrationId);
  if (externalId === null || !integration) return undefined;
  const url = integration.ticketUrl === null ? undefined : integration.ticketUrl + encodeURIComponent(externalId);
  return {
    prefix: integration.fieldName.replace(/_id$/, ''),
    externalId,
    ...(url !== undefined && { url }),
    integrationId: integration.id,
  };
}

export async function wholeStory(tx: Tx, project: ProjectRow, row: StoryRow): Promise<Story> {
  return storyOf(row, await partsOfStory(tx, row.id), await storyRules(tx, project, [row]));
}

/** What a project says about these of its stories, or about all; integrations matter only to those with a ticket. */
export async function storyRules(
  tx: Tx,
  { id, bugsAndChoresAreEstimatable }: ProjectRow,
  stories?: readonly Pick<StoryRow, 'externalId'>[],
): Promise<StoryRules> {
  const isLinked = stories === undefined || stories.some(({ externalId }) => externalId !== null);
  return { bugsAndChoresAreEstimatable, integrations: isLinked ? await integrationsOfProject(tx, id) : [] };
}

interface LabelRow {
  readonly storyId: number;
  readonly name: string;
}

const NONE: readonly never[] = [];

/** What hangs on a story, as it is stored: of comments and tasks that are more than a story may have, the newest. */
export interface StoryParts {
  readonly labels: readonly LabelRow[];
  readonly notes: readonly NoteRow[];
  readonly tasks: readonly TaskRow[];
  readonly attachments: readonly AttachmentRow[];
}

/** Most stories have parts of few kinds or none, so what there is is asked first. */
export async function partsOfStory(tx: Tx, storyId: number): Promise<StoryParts> {
  const [has] = await kindsOfStory(tx, { storyId });
  return {
    labels: has?.labels ? await labels(tx).where('storyLabels.storyId', '=', storyId).execute() : NONE,
    notes: has?.notes ? await fittingNotes(tx, { storyId }) : NONE,
    tasks: has?.tasks ? await fittingTasks(tx, { storyId }) : NONE,
    attachments: has?.attachments ? await attachments(tx).where('storyId', '=', storyId).execute() : NONE,
  };
}

const kindsOfStory = knownQuery((tx, { storyId }: { readonly storyId: number }) =>
  tx.selectNoFrom(({ exists, selectFrom, lit }) => [
    exists(selectFrom('storyLabels').select(lit(1).as('one')).where('storyId', '=', storyId)).as('labels'),
    exists(selectFrom('notes').select(lit(1).as('one')).where('storyId', '=', storyId)).as('notes'),
    exists(selectFrom('tasks').select(lit(1).as('one')).where('storyId', '=', storyId)).as('tasks'),
    exists(selectFrom('attachments').select(lit(1).as('one')).where('storyId', '=', storyId)).as('attachments'),
  ]),
);

/** The parts of every story of a project, one kind after the other; undefined where that is more than is read at once. */
export async function partsOfProject(
  tx: Tx,
  projectId: number,
): Promise<((storyId: number) => StoryParts) | undefined> {
  const notes = await notesOfProject(tx, projectId);
  const tasks = notes && (await tasksOfProject(tx, projectId));
  if (!tasks) return undefined;
  const labelsOf = grouped(await allRows(tx, labels(tx).where('storyLabels.projectId', '=', projectId)));
  const [notesOf, tasksOf] = [grouped(notes), grouped(tasks)];
  const attachmentsOf = grouped(await allRows(tx, attachments(tx).where('projectId', '=', projectId)));
  return (id) => ({ labels: labelsOf(id), notes: notesOf(id), tasks: tasksOf(id), attachments: attachmentsOf(id) });
}

/** The same of some stories: of comments and tasks that are more than one may have, the newest. */
export async function fittingPartsOf(tx: Tx, storyIds: readonly number[]): Promise<(storyId: number) => StoryParts> {
  const ids = idList(storyIds);
  const labelsOf = grouped(await labels(tx).where('storyLabels.storyId', 'in', ids).execute());
  const notesOf = grouped(await fittingNotes(tx, { storyIds }));
  const tasksOf = grouped(await fittingTasks(tx, { storyIds }));
  const attachmentsOf = grouped(await attachments(tx).where('storyId', 'in', ids).execute());
  return (id) => ({ labels: labelsOf(id), notes: notesOf(id), tasks: tasksOf(id), attachments: attachmentsOf(id) });
}

/** Everything that hangs on some stories of a project, or all but the comments and tasks. */
export async function partsOfStories(
  tx: Tx,
  storyIds: readonly number[],
  { withTexts = true }: { readonly withTexts?: boolean } = {},
): Promise<(storyId: number) => StoryParts> {
  const ids = idList(storyIds);
  const labelsOf = grouped(await labels(tx).where('storyLabels.storyId', 'in', ids).execute());
  const notesOf = grouped(withTexts ? await notes(tx).where('storyId', 'in', ids).execute() : NONE);
  const tasksOf = grouped(withTexts ? await tasks(tx).where('storyId', 'in', ids).execute() : NONE);
  const attachmentsOf = grouped(await attachments(tx).where('storyId', 'in', ids).execute());
  return (id) => ({ labels: labelsOf(id), notes: notesOf(id), tasks: tasksOf(id), attachments: attachmentsOf(id) });
}

function labels(tx: Tx) {
  return tx
    .selectFrom('storyLabels')
    .innerJoin('labels', 'labels.id', 'storyLabels.labelId')
    .select(['storyLabels.storyId as storyId', 'labels.name as name'])
    .orderBy('storyLabels.storyId')
    .orderBy('storyLabels.position');
}

function notes(tx: Tx) {
  return tx.selectFrom('notes').selectAll().orderBy('id');
}

function tasks(tx: Tx) {
  return tx.selectFrom('tasks').selectAll().orderBy('position').orderBy('id');
}

function attachments(tx: Tx) {
  return tx.selectFrom('attachments').selectAll().orderBy('id');
}

function grouped<R extends { readonly storyId: number }>(rows: readonly R[]): (storyId: number) => readonly R[] {
  const groups = new Map<number, R[]>();
  for (const row of rows) {
    const group = groups.get(row.storyId);
    if (group) group.push(row);
    else groups.set(row.storyId, [row]);
  }
  return (storyId) => groups.get(storyId) ?? NONE;
}
