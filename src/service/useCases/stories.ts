import { isScheduled, needsEstimate } from '../../core/backlog/workflow.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import { STORY_FIELDS } from '../../core/story/storyFields.ts';
import { zonedDate } from '../../v3/dates.ts';
import { type Caller, type Change, changeProject } from '../auth/projectAccess.ts';
import { unprocessable } from '../ground/errors.ts';
import { rest, shareOfTransaction } from '../ground/slices.ts';
import { refuseTooMuch } from '../input/fieldLimits.ts';
import type { RecordedStory } from '../store/activities.ts';
import type { Tx } from '../store/database.ts';
import { type ProjectRow, rulesOf } from '../store/projects/projects.ts';
import { storedNamesOfStory } from '../store/stories/attachments.ts';
import { addLabels, forgetUnusedLabels, setLabels } from '../store/stories/labels.ts';
import { rankAtEnd, rankAtTop } from '../store/stories/places.ts';
import {
  deleteStoryRow,
  insertStory,
  type StoryChange,
  type StoryRow,
  storiesInState,
  storyRow,
  touchStory,
  updateStoryRow,
} from '../store/stories/storyRows.ts';
import { partsOfStory, type StoryParts, storyOf, storyRules, wholeStory } from '../store/stories/wholeStory.ts';
import { quoted, record } from './recordActivity.ts';
import { blankFields, editedFields } from './storyFields.ts';
import { changedStory, refuseFullStory, refuseWrongStory } from './storyRules.ts';
import { tellNewOwner } from './tellNewOwner.ts';

/** Adds a story: at the top of the icebox, or, when it is scheduled, at the end of the backlog. */
export async function createStory(change: Change, edit: StoryEdit): Promise<Story> {
  const { tx, project, now } = change;
  refuseTooMuch(edit);
  const fields = await editedFields(change, blankFields(change), edit);
  refuseWrongStory(fields, project);
  const list = { projectId: project.id, inIcebox: isScheduled(fields.state) ? 0 : 1 };
  const rank = list.inIcebox === 1 ? await rankAtTop(tx, list) : await rankAtEnd(tx, list);
  const row = await insertStory(tx, { ...fields, ...list, rank, updatedAt: now });
  await addLabels(tx, project.id, row.id, uniqueLabels(edit.labels ?? []));
  const story = await wholeStory(tx, project, row);
  const { id, ...changed } = story;
  await record(change, 'story_create', `added ${quoted(story.name)}`, [{ id, changed, cleared: [] }]);
  await tellNewOwner(change, null, row);
  return story;
}

export function uniqueLabels(labels: readonly string[]): readonly string[] {
  return [...new Set(labels)];
}

/** Changes a story and tells of it; an edit that changes nothing is not told of. */
export async function updateStory(change: Change, storyId: number, edit: StoryEdit): Promise<Story> {
  return changeStoryRow(change, await changedStory(change, storyId), edit, partsOfStory);
}

/** Moves a story that was found already to another state. What hangs on it is not read: nobody is told of it. */
export async function changeState(change: Change, row: StoryRow, state: string): Promise<void> {
  await changeStoryRow(change, row, { state }, async () => NO_PARTS);
}

const NO_PARTS: StoryParts = { labels: [], notes: [], tasks: [], attachments: [] };

async function changeStoryRow(
  change: Change,
  row: StoryRow,
  edit: StoryEdit,
  partsOf: (tx: Tx, storyId: number) => Promise<StoryParts>,
): Promise<Story> {
  const { tx, project, now } = change;
  refuseTooMuch(edit);
  const fields = await editedFields(change, row, edit);
  refuseWrongStory(fields, project, row);
  await refuseLongerText(change, row, fields);
  const labels = edit.labels && uniqueLabels(edit.labels);
  const place = await placeAfter(change, row, fields.state);
  const updated = await updateStoryRow(tx, row.id, { ...fields, ...place, updatedAt: now });
  const parts = await partsOf(tx, row.id);
  const { before, after } = await bothStories(change, [row, updated], parts, labels);
  const difference = storyDifference(before, after);
  if (isNothing(difference)) {
    await touchStory(tx, row.id, row.updatedAt);
    return { ...after, updatedAt: zonedDate(row.updatedAt) };
  }
  await record(change, 'story_update', description(before, after, difference), [difference]);
  await tellNewOwner(change, row.ownerId, updated);
  return after;
}

/** Throws `Refusal` 422 when a story is too full for the description that it is given. */
export async function refuseLongerText(
  change: Change,
  row: StoryRow,
  { description }: Pick<StoryRow, 'description'>,
): Promise<void> {
  if (description === null || description === row.description) return;
  const bytes = Buffer.byteLength(description) - Buffer.byteLength(row.description ?? '');
  if (bytes > 0) await refuseFullStory(change, row.id, { bytes });
}

/** The whole story as it was and is: of what hangs on it an edit changes no more than the labels. */
async function bothStories(
  { tx, project }: Change,
  [row, updated]: readonly [StoryRow, StoryRow],
  parts: StoryParts,
  labels: readonly string[] | undefined,
) {
  const rules = await storyRules(tx, project, [row, updated]);
  const before = storyOf(row, parts, rules);
  if (labels === undefined) return { before, after: storyOf(updated, parts, rules) };
  await setLabels(tx, project.id, row.id, labels);
  const labelled = { ...parts, labels: labels.map((name) => ({ storyId: row.id, name })) };
  return { before, after: storyOf(updated, labelled, rules) };
}

/** A story that leaves the icebox goes to the end of the backlog; one that goes there, to its top. */
async function placeAfter({ tx, project }: Change, row: StoryRow, state: string): Promise<StoryChange> {
  const inIcebox = isScheduled(state) ? 0 : 1;
  if (inIcebox === row.inIcebox) return {};
  const list = { projectId: project.id, inIcebox };
  return { inIcebox, rank: inIcebox === 1 ? await rankAtTop(tx, list) : await rankAtEnd(tx, list) };
}

function isNothing({ changed, cleared }: RecordedStory): boolean {
  return Object.keys(changed).length === 0 && cleared.length === 0;
}

const STATE_VERBS: Readonly<Record<string, string>> = {
  unscheduled: 'moved to the icebox',
  unstarted: 'unstarted',
};

function description(before: Story, after: Story, { changed, cleared }: RecordedStory): string {
  const name = quoted(after.name);
  if (before.state !== after.state) return `${STATE_VERBS[after.state] ?? after.state} ${name}`;
  if (changed.estimate !== undefined && changed.estimate >= 0) {
    return `estimated ${name} as ${changed.estimate} ${changed.estimate === 1 ? 'point' : 'points'}`;
  }
  if (changed.ownedBy !== undefined) return `made ${changed.ownedBy} the owner of ${name}`;
  if (cleared.includes('ownedBy')) return `removed the owner of ${name}`;
  if (changed.ticket !== undefined) return `linked ${name} to ticket ${changed.ticket.externalId}`;
  return `edited ${name}`;
}

const TOLD_FIELDS = fieldNames(STORY_FIELDS).filter((field) => STORY_FIELDS[field].isTold);

/** What differs between two states of a story, as an activity tells it: changed fields only, cleared ones by name. */
function storyDifference(before: Story, after: Story): RecordedStory {
  const changed: { -readonly [K in keyof Story]?: Story[K] } = {};
  const cleared: (keyof Story)[] = [];
  for (const field of TOLD_FIELDS) {
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) continue;
    if (isBlank(after[field])) cleared.push(field);
    else copyField(changed, after, field);
  }
  const isTicketNew = 'ticket' in changed || cleared.includes('ticket');
  return { id: after.id, changed, cleared, ...(before.ticket && isTicketNew && { formerTicket: before.ticket }) };
}

function isBlank(value: Story[keyof Story]): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0);
}

function copyField<K extends keyof Story>(
  to: { -readonly [F in keyof Story]?: Story[F] },
  from: Story,
  field: K,
): void {
  to[field] = from[field];
}

interface DeletedStory {
  readonly story: Story;
  /** Stored names of its files, to be removed once the deletion is certain. */
  readonly files: readonly string[];
}

/** Removes a story with all that hangs on it; the activity stays. */
export async function deleteStory(change: Change, storyId: number): Promise<DeletedStory> {
  const { tx, project } = change;
  const row = await changedStory(change, storyId);
  const story = await wholeStory(tx, project, row);
  const files = await storedNamesOfStory(tx, storyId);
  await deleteStoryRow(tx, storyId);
  await forgetUnusedLabels(tx, project.id);
  await record(change, 'story_delete', `deleted ${quoted(story.name)}`, [{ id: storyId, changed: {}, cleared: [] }]);
  return { story, files };
}

/** Stories that are delivered in one transaction, at most. */
const DELIVERED_AT_ONCE = 100;

interface Named {
  readonly id: number;
}

/** What one transaction did, and what is left to others. */
interface Delivered {
  readonly delivered: readonly Named[];
  readonly waiting: readonly Named[];
}

/**
 * Delivers every story of the project that is finished when this begins, and tells which, in their order: in several transactions, since
 * others wait for each. What is no longer finished when its turn comes is left as it is. Throws `Refusal` 422 with those that have to be
 * estimated first, and as `changeProject` does for each of them; what is delivered by then stays so, and a repeat goes on.
 */
export async function deliverAllFinished(
  caller: Caller,
  projectId: number,
): Promise<{ readonly project: ProjectRow; readonly rows: readonly Named[] }> {
  const { project, ...first } = await changeProject(caller, projectId, 'Member', async (change) => ({
    project: change.project,
    ...(await deliverSome(change, await finishedStories(change))),
  }));
  const rows = [...first.delivered];
  for (let { waiting } = first; waiting.length > 0; ) {
    const next = await changeProject(caller, projectId, 'Member', (change) => deliverSome(change, waiting));
    rows.push(...next.delivered);
    waiting = next.waiting;
  }
  return { project, rows };
}

async function finishedStories({ tx, project }: Change): Promise<readonly Named[]> {
  const finished = await storiesInState(tx, project.id, 'finished');
  const wanting = finished.filter(({ type, estimate }) => needsEstimate(type, 'delivered', estimate, rulesOf(project)));
  if (wanting.length > 0) throw unprocessable(wanting.map(({ id, name }) => wantsEstimate(id, name)));
  return finished.map(({ id }) => ({ id }));
}

function wantsEstimate(id: number, name: string): string {
  return `Stories in the delivered state must be estimated. Estimate #${id} ${quoted(name)} first.`;
}

/** One at least, and as many as there is time for. */
async function deliverSome(change: Change, stories: readonly Named[]): Promise<Delivered> {
  const delivered: Named[] = [];
  const isOver = shareOfTransaction();
  for (const [index, { id }] of stories.entries()) {
    if (index === DELIVERED_AT_ONCE || (index > 0 && isOver())) return { delivered, waiting: stories.slice(index) };
    const row = await storyRow(change.tx, change.project.id, id);
    if (row?.state !== 'finished') continue;
    await changeState(change, row, 'delivered');
    delivered.push({ id });
    await rest();
  }
  return { delivered, waiting: [] };
}
