import { sendIntent } from '../../client/tracker/intentRequest.ts';
import { failureMeans, kindOf, TrackerError } from '../../core/errors.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import type { Intent, IntentKind } from '../../core/intents/intent.ts';
import { withLabels } from '../../core/intents/labels.ts';
import type { CallOptions, Tracker } from '../../core/ports/tracker.ts';
import { FIELD_WORDS } from '../../core/story/fieldWords.ts';
import type { Iteration } from '../../core/story/iteration.ts';
import type { NewStory, Note, Story, StoryEdit, StoryFields, StoryRef, Task } from '../../core/story/story.ts';
import { visibleLine } from '../../core/text.ts';
import { replacedCharacters } from '../../v3/assumptions.ts';
import { showsCommit } from '../commits/linkedCommits.ts';
import type { Before, OutboxRow } from './outboxRows.ts';

/** A field's value for telling whether two are the same: servers trim texts, sort labels and leave out what is empty. */
function comparable(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return plain(value);
  if (name === 'estimate') return Number(value) < 0 ? '' : String(value);
  if (Array.isArray(value)) return JSON.stringify(value.map((one) => plain(String(one)).toLowerCase()).toSorted());
  const { externalId, time, text } = Object(value) as Readonly<Record<string, unknown>>;
  return String(externalId ?? time ?? text ?? JSON.stringify(value));
}

function plain(text: string): string {
  return replacedCharacters(text).replaceAll(/\r\n?/g, '\n').trim();
}

/** The values that a story, or what was seen of it, has in the fields of an edit. */
function fieldsOf(story: Story | StoryEdit, edit: StoryEdit): Readonly<Record<string, string>> {
  const values: Readonly<Record<string, unknown>> = { ...story };
  return Object.fromEntries(Object.keys(edit).map((name) => [name, comparable(name, values[name])]));
}

/**
 * Whether a story is as an edit wants it, which may have been done without our being told.
 * @throws TrackerError `conflict` when it is neither so nor as it was `before`: someone else changed it in the meantime.
 */
function isEdited(story: Story, edit: StoryEdit, before: Readonly<Record<string, string>> | undefined): boolean {
  const [now, wanted] = [Object.entries(fieldsOf(story, edit)), Object.entries(edit)];
  const open = now.filter(([name, value]) =>
    wanted.some(([one, to]) => one === name && comparable(name, to) !== value),
  );
  const [foreign] = open.filter(([name, value]) => before !== undefined && before[name] !== value);
  if (foreign) {
    const [name] = foreign;
    throw new TrackerError('conflict', changedSentence(story, name));
  }
  return open.length === 0;
}

/** Characters of a value that are quoted. */
const QUOTED = 80;

function changedSentence(story: Story, name: string): string {
  const field = fieldNames(FIELD_WORDS).find((one) => one === name);
  const said = `Someone else changed the ${field ? FIELD_WORDS[field] : name} of story #${story.id}`;
  const value = field ? visibleLine(spoken(story[field]), QUOTED) : '';
  return value === '' ? `${said}. It is empty now.` : `${said}. It is “${value}” now.`;
}

/** A value as people write it. */
function spoken(value: Story[keyof StoryFields]): string {
  if (Array.isArray(value)) return value.join(', ');
  const { externalId, text } = Object(value) as Readonly<Record<string, unknown>>;
  const isUnestimated = typeof value === 'number' && value < 0;
  return isUnestimated ? '' : String(externalId ?? text ?? value ?? '');
}

/** The comment that came of ours: of its text, and not among those that were there before it was first sent. */
function noteOfOurs(notes: readonly Note[], text: string, before: readonly number[] = []): Note | undefined {
  return notes.find((note) => !before.includes(note.id) && plain(note.text) === plain(text));
}

/** As `noteOfOurs`, of a new task. */
function taskOfOurs(tasks: readonly Task[], description: string, before: readonly number[] = []) {
  return tasks.find((task) => !before.includes(task.id) && plain(task.description) === plain(description));
}

/** Whether a story may be what came of a new one: of its name, and of its type where it says one. */
function isAlike({ name, type }: Story, wanted: NewStory): boolean {
  return plain(name) === plain(wanted.name) && (wanted.type === undefined || type === wanted.type);
}

/** Whether a story stands right before or after another in one of these lists. */
function isPlaced(
  { iterations, icebox }: { readonly iterations: readonly Iteration[]; readonly icebox: readonly Story[] },
  { storyId, place, targetId }: Intent<'move'>,
): boolean {
  const lists = [iterations.flatMap(({ stories }) => stories), icebox];
  return lists.some((stories) => {
    const ids = stories.map(({ id }) => id);
    const at = ids.indexOf(targetId);
    return at >= 0 && ids[place === 'before' ? at - 1 : at + 1] === storyId;
  });
}

/** What a server made of an intent. */
export interface Done {
  readonly story?: Story;
  readonly note?: Note;
  readonly task?: Task;
  /** The id of a task that it has no longer. */
  readonly deletedTask?: number;
  /** The server had it before it was ever sent. */
  readonly isRepeated?: boolean;
}

interface AttemptNeeds {
  readonly tracker: Tracker;
  /** Writes down that the entry is going out, with what was so before, and then runs `write`. */
  readonly send: <T>(write: () => Promise<T>, before?: Before) => Promise<T>;
  /** The story as this machine knows it. */
  readonly knownStory: (storyId: number) => Story | undefined;
  /** When the last that this machine knows of happened in the project, by the server's clock. */
  readonly lastActivityAt: () => number | undefined;
  /** Whether a server was seen to take a commit for all these stories after that time, in milliseconds since the epoch. */
  readonly isLinkedSince: (commitId: string, stories: readonly StoryRef[], at: number) => boolean;
  readonly options: CallOptions;
}

const DAY = 86_400_000;
/** Of the year 9999. */
const LAST_DAY = Date.UTC(9999, 11, 31);

type Attempt<K extends IntentKind> = (needs: AttemptNeeds, row: OutboxRow, intent: Intent<K>) => Promise<Done>;

const ATTEMPTS: { readonly [K in IntentKind]: Attempt<K> } = {
  edit,
  move,
  comment,
  labels,
  task,
  newTask,
  editTask,
  moveTask: task,
  deleteTask,
  newStory,
  deleteStory,
  moveToProject,
  link,
};

/**
 * Sends one entry. One that was sent before and never answered is looked for on the server first, and sent again only
 * when it is not there. @throws TrackerError
 */
export function attempt(needs: AttemptNeeds, row: OutboxRow): Promise<Done> {
  return attemptOf(needs, row, row.intent);
}

function attemptOf<K extends IntentKind>(needs: AttemptNeeds, row: OutboxRow, intent: Intent<K>): Promise<Done> {
  return ATTEMPTS[intent.kind](needs, row, intent);
}

async function edit(needs: AttemptNeeds, row: OutboxRow, intent: Intent<'edit'>): Promise<Done> {
  const { tracker, send, options } = needs;
  const { projectId } = row.project;
  const { storyId, edit: wanted, known: seen } = intent;
  if (row.sentAt !== undefined || seen) {
    const story = await tracker.getStory({ projectId, storyId }, options);
    if (isEdited(story, wanted, seen ? fieldsOf(seen, wanted) : row.before?.fields)) return { story };
  }
  const known = needs.knownStory(storyId);
  const before = known && { fields: fieldsOf(known, wanted) };
  return { story: await send(() => sendIntent(tracker, projectId, intent, options), before) };
}

async function move(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId }, sentAt }: OutboxRow,
  intent: Intent<'move'>,
): Promise<Done> {
  if (sentAt !== undefined) {
    const [iterations, icebox] = await Promise.all([
      tracker.currentBacklog(projectId, options),
      tracker.listStories(projectId, { filter: 'state:unscheduled' }, options),
    ]);
    if (isPlaced({ iterations, icebox }, intent)) return {};
  }
  return { story: await send(() => sendIntent(tracker, projectId, intent, options)) };
}

/** Someone else's comment of the same words, made while ours was on its way and lost, would be taken for ours. */
async function comment(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId }, sentAt, before }: OutboxRow,
  intent: Intent<'comment'>,
): Promise<Done> {
  const notes = await tracker.listNotes({ projectId, storyId: intent.storyId }, options);
  const ours = sentAt === undefined ? undefined : noteOfOurs(notes, intent.text, before?.noteIds);
  if (ours) return { note: ours };
  const noteIds = notes.map(({ id }) => id);
  return { note: await send(() => sendIntent(tracker, projectId, intent, options), { noteIds }) };
}

/** On top of the labels that the story has by now, so that nobody's are lost; nothing is sent when it has them so. */
async function labels(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId } }: OutboxRow,
  intent: Intent<'labels'>,
): Promise<Done> {
  const story = await tracker.getStory({ projectId, storyId: intent.storyId }, options);
  const known = story.labels;
  if (withLabels(known, intent.change) === known) return { story };
  return { story: await send(() => sendIntent(tracker, projectId, { ...intent, known }, options)) };
}

/** Done twice it is as done once. */
async function task(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId } }: OutboxRow,
  intent: Intent<'task' | 'moveTask'>,
): Promise<Done> {
  return { task: await send(() => sendIntent(tracker, projectId, intent, options)) };
}

async function editTask(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId } }: OutboxRow,
  intent: Intent<'editTask'>,
): Promise<Done> {
  const { storyId, taskId, description, known } = intent;
  const tasks = await tracker.listTasks({ projectId, storyId }, options);
  const now = tasks.find(({ id }) => id === taskId);
  if (!now) throw new TrackerError('conflict', `Someone else deleted this task of story #${storyId}.`);
  if (plain(now.description) === plain(description)) return { task: now };
  if (plain(now.description) !== plain(known)) {
    const text = visibleLine(now.description, QUOTED);
    throw new TrackerError('conflict', `Someone else changed this task of story #${storyId}. It is “${text}” now.`);
  }
  return { task: await send(() => sendIntent(tracker, projectId, intent, options)) };
}

async function deleteTask(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId } }: OutboxRow,
  intent: Intent<'deleteTask'>,
): Promise<Done> {
  const isGone = await goneAfter(() => send(() => sendIntent(tracker, projectId, intent, options)));
  return { isRepeated: isGone, deletedTask: intent.taskId };
}

async function deleteStory(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId }, sentAt }: OutboxRow,
  intent: Intent<'deleteStory'>,
): Promise<Done> {
  const wasGone = await goneAfter(() => send(() => sendIntent(tracker, projectId, intent, options)));
  return { isRepeated: wasGone && sentAt === undefined };
}

/** Runs a deletion; whether there was nothing to delete any more. */
async function goneAfter(deletion: () => Promise<unknown>): Promise<boolean> {
  try {
    await deletion();
    return false;
  } catch (thrown) {
    if (!isGone(thrown)) throw thrown;
    return true;
  }
}

/** A story whose answer was lost is in the other project by then. */
async function moveToProject(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId }, sentAt }: OutboxRow,
  intent: Intent<'moveToProject'>,
): Promise<Done> {
  const { storyId, targetProjectId } = intent;
  const target = { projectId: targetProjectId, storyId };
  const isThere = async () => (await goneAfter(() => tracker.getStory(target, options))) === false;
  if (sentAt !== undefined && (await isThere())) return {};
  await send(() => sendIntent(tracker, projectId, intent, options));
  return {};
}

/** As with comments: someone else's task of the same words, added while ours was lost, would be taken for ours. */
async function newTask(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId }, sentAt, before }: OutboxRow,
  intent: Intent<'newTask'>,
): Promise<Done> {
  const tasks = await tracker.listTasks({ projectId, storyId: intent.storyId }, options);
  const ours = sentAt === undefined ? undefined : taskOfOurs(tasks, intent.description, before?.taskIds);
  if (ours) return { task: ours };
  const taskIds = tasks.map(({ id }) => id);
  return { task: await send(() => sendIntent(tracker, projectId, intent, options), { taskIds }) };
}

/**
 * A story whose answer was lost is one of the same name and type, created not before the last that was known of the project,
 * and not among those that were there before it was first sent. Someone else's of the same name, made in that moment, would be
 * taken for ours. Only the server's own moments are compared: the clock here may be days off.
 */
async function newStory(
  { tracker, send, options, lastActivityAt }: AttemptNeeds,
  { project: { projectId }, sentAt, before }: OutboxRow,
  intent: Intent<'newStory'>,
): Promise<Done> {
  const isFirst = before === undefined && sentAt === undefined;
  const createdSince = isFirst ? dayOf(lastActivityAt()) : before?.createdSince;
  const alike = (await storiesSince(tracker, projectId, createdSince, options)).filter((one) =>
    isAlike(one, intent.story),
  );
  const ours = sentAt === undefined ? undefined : alike.find(({ id }) => !before?.storyIds?.includes(id));
  const storyIds = alike.map(({ id }) => id);
  const found = { storyIds, ...(createdSince !== undefined && { createdSince }) };
  const story = ours ?? (await send(() => sendIntent(tracker, projectId, intent, options), found));
  await placeNew(tracker, { projectId, storyId: story.id }, intent, options);
  return { story };
}

/** A new story whose neighbour is gone by then stays where the server put it. */
async function placeNew(tracker: Tracker, ref: StoryRef, { beside }: Intent<'newStory'>, options: CallOptions) {
  if (!beside) return;
  try {
    await tracker.moveStory(ref, beside.place, beside.targetId, options);
  } catch (thrown) {
    if (!failureMeans(kindOf(thrown), 'final')) throw thrown;
  }
}

/** A day earlier, for the zone of the project. */
function dayOf(time: number | undefined): string | undefined {
  if (time === undefined || !(Math.abs(time) < LAST_DAY)) return undefined;
  return new Date(time - DAY).toISOString().slice(0, 10).replaceAll('-', '/');
}

/** Those created on that day or later; all of them without one, and where a server takes no such filter. */
async function storiesSince(tracker: Tracker, projectId: number, day: string | undefined, options: CallOptions) {
  if (day === undefined) return tracker.listStories(projectId, {}, options);
  try {
    return await tracker.listStories(projectId, { filter: `created_since:${day} includedone:true` }, options);
  } catch (thrown) {
    if (kindOf(thrown) !== 'refused') throw thrown;
    return tracker.listStories(projectId, {}, options);
  }
}

/**
 * A commit that all its stories show is not posted, whether or not it was sent before, nor one that this machine saw taken
 * for them since the entry was added. One that only some show is, for the others: our service ignores it where it is shown
 * (protocol.md, Commit markers); another server may show it a second time there. On a server that does not know which
 * commits it has, this cannot cover an answer that was lost while the comment is not seen yet when it is looked for: done
 * later than it was looked for, or read from a copy that lags behind; nor comments without the commit's id, abbreviated
 * to seven digits at least.
 */
async function link(
  { tracker, send, options, isLinkedSince }: AttemptNeeds,
  { project: { projectId }, sentAt, before, addedAt }: OutboxRow,
  intent: Intent<'link'>,
): Promise<Done> {
  const { stories, commit } = intent;
  if (stories.length > 0 && isLinkedSince(commit.commitId, stories, addedAt)) return { isRepeated: true };
  const answers = await Promise.allSettled(stories.map((ref) => tracker.listNotes(ref, options)));
  const notes = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  // A story that was deleted in the meantime keeps the commit from none of the others.
  const failures: readonly unknown[] = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const failure = failures.find((one) => !isGone(one)) ?? (notes.length === 0 ? failures[0] : undefined);
  if (failure) throw failure;
  const isSince = ({ id }: Note) => before?.noteIds !== undefined && !before.noteIds.includes(id);
  const isShown = notes.every((ofStory) => ofStory.some((note) => showsCommit(note, commit, isSince(note))));
  if (isShown && stories.length > 0) return { isRepeated: sentAt === undefined };
  const noteIds = notes.flat().map(({ id }) => id);
  await send(() => sendIntent(tracker, projectId, intent, options), { noteIds });
  return {};
}

function isGone(thrown: unknown): boolean {
  return kindOf(thrown) === 'notFound';
}
