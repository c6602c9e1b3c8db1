import { sendIntent } from '../../client/tracker/intentRequest.ts';
import { failureMeans, kindOf, retold, TrackerError } from '../../core/errors.ts';
import type { Beside, Intent, IntentKind } from '../../core/intents/intent.ts';
import { withLabels } from '../../core/intents/labels.ts';
import type { CallOptions, Tracker } from '../../core/ports/tracker.ts';
import type { Iteration } from '../../core/story/iteration.ts';
import type { NewStory, Note, Story, StoryRef, Task } from '../../core/story/story.ts';
import { asServersKeep, mayBeKeptAs } from '../../core/text.ts';
import { t } from '../../core/translation.ts';
import { holdsMessage, showsCommit } from '../commits/linkedCommits.ts';
import {
  type Attempt,
  type AttemptNeeds,
  changedAsRead,
  type Done,
  deleteStory,
  deleteTask,
  editTask,
  fieldsOf,
  isEdited,
  isMissing,
  isStory,
  lacksBlanks,
  moveToProject,
  type RefusedTask,
  tickOrMoveTask,
} from './attempts.ts';
import type { OutboxRow } from './outboxRows.ts';

/** The comment that came of ours: of its text, and not among those that were there before it was first sent. */
function noteOfOurs(notes: readonly Note[], text: string, before: readonly number[] = []): Note | undefined {
  return notes.find((note) => !before.includes(note.id) && mayBeKeptAs(note.text, text));
}

/** As `noteOfOurs`, of a new task. */
function taskOfOurs(tasks: readonly Task[], description: string, before: readonly number[] = []) {
  return tasks.find((task) => !before.includes(task.id) && mayBeKeptAs(task.description, description));
}

/** Whether a story may be what came of a new one: of its name, and of its type where it says one. */
function isAlike({ name, type }: Story, wanted: NewStory): boolean {
  return mayBeKeptAs(name, wanted.name) && (wanted.type === undefined || type === wanted.type);
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

const DAY = 86_400_000;
/** Of the year 9999. */
const LAST_DAY = Date.UTC(9999, 11, 31);

const ATTEMPTS: { readonly [K in IntentKind]: Attempt<K> } = {
  edit,
  move,
  comment,
  labels,
  task: tickOrMoveTask,
  newTask,
  editTask,
  moveTask: tickOrMoveTask,
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
export async function attempt(needs: AttemptNeeds, row: OutboxRow): Promise<Done> {
  try {
    return await attemptOf(needs, row, row.intent);
  } catch (thrown) {
    throw await withMissing(needs, row, thrown);
  }
}

function attemptOf<K extends IntentKind>(needs: AttemptNeeds, row: OutboxRow, intent: Intent<K>): Promise<Done> {
  return ATTEMPTS[intent.kind](needs, row, intent);
}

/** Servers say of nothing what it is that they do not have: where the project answers, it is a story, a task, or the change itself. */
async function withMissing({ tracker, options }: AttemptNeeds, row: OutboxRow, thrown: unknown): Promise<unknown> {
  const { intent, project } = row;
  if (!(thrown instanceof TrackerError && isMissing(thrown)) || intent.kind === 'newStory' || intent.kind === 'link')
    return thrown;
  const { projectId } = project;
  const { storyId } = intent;
  const refOf = (id: number) => ({ projectId, storyId: id });
  try {
    await tracker.getProject(projectId, options);
    for (const id of [storyId, ...(intent.kind === 'move' ? [intent.targetId] : [])]) {
      if (!(await isStory(tracker, refOf(id), options))) return retold(thrown, missingStory(id));
    }
    const tasks =
      'taskId' in intent ? await tracker.listTasks(refOf(storyId), options).catch(unlessMissing) : undefined;
    const isTask = tasks !== undefined && 'taskId' in intent && !tasks.some(({ id }) => id === intent.taskId);
    return retold(thrown, isTask ? missingTask(storyId) : notOffered(storyId));
  } catch {
    return thrown;
  }
}

function unlessMissing(thrown: unknown): undefined {
  if (!isMissing(thrown)) throw thrown;
}

const missingStory = (id: number) => t('Story #{0} has been deleted or moved to another project.', id);
const missingTask = (storyId: number) => t('This task of story #{0} has been deleted.', storyId);
const notOffered = (storyId: number) => t('The server does not offer this change of story #{0}.', storyId);

async function edit(needs: AttemptNeeds, row: OutboxRow, intent: Intent<'edit'>): Promise<Done> {
  const { tracker, send, options } = needs;
  const { projectId } = row.project;
  const { storyId, edit: wanted, known: seen } = intent;
  const ref = { projectId, storyId };
  if (seen) {
    const before = fieldsOf(seen, wanted);
    return changedAsRead(
      () => tracker.getTaggedStory(ref, options),
      async (story, condition) => {
        if (isEdited(story, wanted, before) && !lacksBlanks(story, wanted, seen)) return { story };
        return { story: await send(() => sendIntent(tracker, projectId, intent, { ...options, ...condition })) };
      },
    );
  }
  if (row.sentAt !== undefined) {
    const story = await tracker.getStory(ref, options);
    if (isEdited(story, wanted, row.before?.fields) && !lacksBlanks(story, wanted)) return { story };
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
function labels(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId } }: OutboxRow,
  intent: Intent<'labels'>,
): Promise<Done> {
  return changedAsRead(
    () => tracker.getTaggedStory({ projectId, storyId: intent.storyId }, options),
    async (story, condition) => {
      const known = story.labels;
      if (withLabels(known, intent.change) === known) return { story };
      const changed = { ...intent, known };
      return { story: await send(() => sendIntent(tracker, projectId, changed, { ...options, ...condition })) };
    },
  );
}

/**
 * As with comments: someone else's task of the same words, added while ours was lost, would be taken for ours. Servers add it to
 * the end and still to be done; what makes it otherwise is sent behind it.
 */
async function newTask(
  { tracker, send, options }: AttemptNeeds,
  { project: { projectId }, sentAt, before }: OutboxRow,
  intent: Intent<'newTask'>,
): Promise<Done> {
  const ref = { projectId, storyId: intent.storyId };
  const tasks = await tracker.listTasks(ref, options);
  const ours = sentAt === undefined ? undefined : taskOfOurs(tasks, intent.description, before?.taskIds);
  const taskIds = tasks.map(({ id }) => id);
  let task = ours ?? (await send(() => sendIntent(tracker, projectId, intent, options), { taskIds }));
  const { complete = false, position } = intent;
  const place = (ours ? tasks.indexOf(ours) : tasks.length) + 1;
  const isTicked = complete && !task.complete;
  const isPlaced = position !== undefined && position !== place;
  for (const change of [...(isTicked ? [{ complete }] : []), ...(isPlaced ? [{ position }] : [])]) {
    task = (await unlessFinal(tracker.updateTask(ref, task.id, change, options))) ?? task;
  }
  return { task };
}

/**
 * A story whose answer was lost is one of the same name and type, created not before the last that was known of the project,
 * and not among those that were there before it was first sent. Someone else's of the same name, made in that moment, would be
 * taken for ours. Only the server's own moments are compared: the clock here may be days off.
 */
async function newStory(
  { tracker, send, options, lastActivityAt, noteCreated }: AttemptNeeds,
  { project: { projectId }, sentAt, before }: OutboxRow,
  intent: Intent<'newStory'>,
): Promise<Done> {
  const completed = (storyId: number, made?: Story) =>
    completedStory(tracker, { projectId, storyId }, intent, options, made);
  if (before?.createdId !== undefined) return completed(before.createdId);
  const isFirst = before === undefined && sentAt === undefined;
  const createdSince = isFirst ? dayOf(lastActivityAt()) : before?.createdSince;
  const alike = (await storiesSince(tracker, projectId, createdSince, options)).filter((one) =>
    isAlike(one, intent.story),
  );
  const ours = sentAt === undefined ? undefined : alike.find(({ id }) => !before?.storyIds?.includes(id));
  const storyIds = alike.map(({ id }) => id);
  const found = { storyIds, ...(createdSince !== undefined && { createdSince }) };
  const story = ours ?? (await send(() => sendIntent(tracker, projectId, intent, options), found));
  if (!isMoreThanStory(intent)) return { story };
  // Its name may be another by the time that the rest is done.
  noteCreated(story.id);
  return completed(story.id, story);
}

/** The neighbour of a new story; one without a number is one that the server did not take. */
function neighbourOf({ beside }: Intent<'newStory'>): Beside | undefined {
  return beside && beside.targetId > 0 ? beside : undefined;
}

function isMoreThanStory(intent: Intent<'newStory'>): boolean {
  return neighbourOf(intent) !== undefined || (intent.tasks ?? []).length > 0;
}

/**
 * A new story beside its neighbour, with its tasks; where the neighbour is gone by then, it stays where the server put it. `made` is the
 * story as it was answered; without it an earlier attempt has made it. Nothing where someone has deleted it since.
 */
async function completedStory(
  tracker: Tracker,
  ref: StoryRef,
  intent: Intent<'newStory'>,
  options: CallOptions,
  made?: Story,
): Promise<Done> {
  const beside = neighbourOf(intent);
  const placed = beside && (await unlessFinal(tracker.moveStory(ref, beside.place, beside.targetId, options)));
  const { tasks, refusedTasks } = await addTasks(tracker, ref, intent, options);
  const story = (beside ? placed : made) ?? (await tracker.getStory(ref, options).catch(unlessMissing));
  return story ? { story: tasks ? { ...story, tasks } : story, refusedTasks } : {};
}

/** `undefined` where asking again would bring the same refusal. */
async function unlessFinal<T>(
  answer: Promise<T>,
  onRefused: (refusal: unknown) => void = () => {},
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    if (!failureMeans(kindOf(thrown), 'final')) throw thrown;
    onRefused(thrown);
    return undefined;
  }
}

/**
 * Adds the tasks of a new story that an earlier attempt has not added. One that the server refuses keeps none of the others
 * from being added. `tasks` are all that the story has then; `undefined` where there is none to add.
 */
async function addTasks(tracker: Tracker, ref: StoryRef, { tasks = [] }: Intent<'newStory'>, options: CallOptions) {
  const refusedTasks: RefusedTask[] = [];
  if (tasks.length === 0) return { refusedTasks };
  const had = [...((await unlessFinal(tracker.listTasks(ref, options))) ?? [])];
  const added: Task[] = [];
  for (const { description, complete } of tasks) {
    const at = had.findIndex((task) => asServersKeep(task.description) === asServersKeep(description));
    const noteRefusal = (refusal: unknown) => void refusedTasks.push({ description, complete, refusal });
    const task =
      at < 0 ? await unlessFinal(tracker.addTask(ref, description, options), noteRefusal) : had.splice(at, 1)[0];
    if (!task) continue;
    const isTicked = complete && !task.complete;
    const ticked = isTicked ? await unlessFinal(tracker.updateTask(ref, task.id, { complete }, options)) : undefined;
    added.push(ticked ?? task);
  }
  return { tasks: [...added, ...had], refusedTasks };
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
 * (protocol.md, Commit markers); another server may show it a second time there. Once it was sent and not answered, a comment
 * with its whole message shows it too, if it came since and no other commit is known to have made it. On a server that does not
 * know which commits it has, this cannot cover an answer that was lost while the comment is not seen yet when it is looked for:
 * done later than it was looked for, or read from a copy that lags behind. Where its comments have no ids of commits either,
 * someone else's commit of the same message, posted in that moment from elsewhere, would be taken for ours.
 */
async function link(
  { tracker, send, options, isLinkedSince, areLinksInDoubt }: AttemptNeeds,
  { project: { projectId }, sentAt, before, addedAt }: OutboxRow,
  intent: Intent<'link'>,
): Promise<Done> {
  const { stories, commit } = intent;
  if (stories.length > 0 && isLinkedSince(commit.commitId, stories, addedAt)) return { isRepeated: true };
  const notes = await notesOf(tracker, stories, options);
  const isSince = ({ id }: Note) => before?.noteIds !== undefined && !before.noteIds.includes(id);
  const isInDoubt = sentAt !== undefined;
  const ours = notes.map(
    (ofStory) =>
      ofStory.find((note) => showsCommit(note, commit, isSince(note))) ??
      ofStory.find((note) => isInDoubt && isSince(note) && holdsMessage(note, commit)),
  );
  if (ours.every((note) => note !== undefined) && stories.length > 0)
    return { isRepeated: !isInDoubt, commitNoteIds: ours.map(({ id }) => id) };
  const noteIds = notes.flat().map(({ id }) => id);
  const answered = await send(() => sendIntent(tracker, projectId, intent, options), { noteIds });
  if (answered.length > 0 || !areLinksInDoubt()) return { commitNoteIds: answered.map(({ id }) => id) };
  // The server does not tell what it made of it, which is nothing that the others made.
  const after = await notesOf(tracker, stories, options).catch(() => []);
  const made = after.flat().filter((note) => !noteIds.includes(note.id) && holdsMessage(note, commit));
  return { commitNoteIds: made.map(({ id }) => id) };
}

/** The comments of each of these stories; a story that was deleted in the meantime keeps a commit from none of the others. */
async function notesOf(tracker: Tracker, stories: readonly StoryRef[], options: CallOptions) {
  const answers = await Promise.allSettled(stories.map((ref) => tracker.listNotes(ref, options)));
  const notes = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const failures: readonly unknown[] = answers.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const failure = failures.find((one) => !isMissing(one)) ?? (notes.length === 0 ? failures[0] : undefined);
  if (failure) throw failure;
  return notes;
}
