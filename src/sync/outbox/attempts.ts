import { sendIntent } from '../../client/tracker/intentRequest.ts';
import { kindOf, TrackerError } from '../../core/errors.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import type { Intent, IntentKind, NewTask } from '../../core/intents/intent.ts';
import type { CallOptions, Tagged, Tracker } from '../../core/ports/tracker.ts';
import type { Note, Story, StoryEdit, StoryRef, Task } from '../../core/story/story.ts';
import { comparableField, fieldText, fieldWords } from '../../core/story/storyFields.ts';
import { asServersKeep, haveSameBlanks, visibleLine } from '../../core/text.ts';
import { t } from '../../core/translation.ts';
import { CHANGED_SINCE_STATUS } from '../../v3/assumptions.ts';
import type { Before, OutboxRow } from './outboxRows.ts';

export interface RefusedTask extends NewTask {
  readonly refusal: unknown;
}

/** What a server made of an intent. */
export interface Done {
  readonly story?: Story;
  readonly note?: Note;
  readonly task?: Task;
  /** Tasks of a new story that the server refused, each by itself. */
  readonly refusedTasks?: readonly RefusedTask[];
  /** The id of a task that the story has no longer. */
  readonly deletedTask?: number;
  /** The comments that a commit made, as far as they are known. */
  readonly commitNoteIds?: readonly number[];
  /** The project has the story no longer. */
  readonly isGone?: boolean;
  /** The server had it before it was ever sent. */
  readonly isRepeated?: boolean;
}

export interface AttemptNeeds {
  readonly tracker: Tracker;
  /** Writes down that the entry is going out, with what was so before, and then runs `write`. */
  readonly send: <T>(write: () => Promise<T>, before?: Before) => Promise<T>;
  /** The story as this machine knows it. */
  readonly knownStory: (storyId: number) => Story | undefined;
  /** When the last that this machine knows of happened in the project, by the server's clock. */
  readonly lastActivityAt: () => number | undefined;
  /** Whether a server was seen to take a commit for all these stories after that time, in milliseconds since the epoch. */
  readonly isLinkedSince: (commitId: string, stories: readonly StoryRef[], at: number) => boolean;
  /** Whether other commits for the same stories were sent and never answered. */
  readonly areLinksInDoubt: () => boolean;
  /** Writes down the number that the server gave a new story, so that whoever goes on does not make it again. */
  readonly noteCreated: (storyId: number) => void;
  readonly options: CallOptions;
}

export type Attempt<K extends IntentKind> = (needs: AttemptNeeds, row: OutboxRow, intent: Intent<K>) => Promise<Done>;

export function isMissing(thrown: unknown): boolean {
  return kindOf(thrown) === 'notFound';
}

/** So often in a row others may be quicker before an entry makes room for those behind it. */
const TRIES = 5;

/**
 * Reads something and changes it on the condition that it is still so when the change arrives, as far as the server takes
 * conditions; again while others are quicker. What `change` makes of each state that was read says whether it is still wanted.
 * @throws TrackerError `busy` where others always were.
 */
export async function changedAsRead<T>(
  read: () => Promise<Tagged<T>>,
  change: (value: T, condition: Pick<CallOptions, 'ifMatch'>) => Promise<Done>,
): Promise<Done> {
  let refused: string | undefined;
  for (let tries = 1; ; tries += 1) {
    const { value, tag } = await read();
    // Something on the way rewrites the tags where one that was refused is told again.
    const condition = tag === undefined || tag === refused ? {} : { ifMatch: tag };
    try {
      return await change(value, condition);
    } catch (thrown) {
      if (!condition.ifMatch || !(thrown instanceof TrackerError) || thrown.status !== CHANGED_SINCE_STATUS)
        throw thrown;
      if (tries === TRIES) throw new TrackerError('busy', t('Others keep changing this. It will be tried again.'));
      refused = condition.ifMatch;
    }
  }
}

type Fields = Readonly<Record<string, string>>;

/** The values that a story, or what was seen of it, has in the fields of an edit. A field that is absent there is empty. */
export function fieldsOf(story: Story | StoryEdit, edit: StoryEdit): Fields {
  const values: Readonly<Record<string, unknown>> = { ...story };
  return Object.fromEntries(Object.keys(edit).map((name) => [name, comparableField(name, values[name])]));
}

/**
 * Whether a story is as an edit wants it, which may have been done without our being told.
 * @throws TrackerError `conflict` when it is neither so nor as it was `before`: it was changed elsewhere, by whomever.
 */
export function isEdited(story: Story, edit: StoryEdit, before: Fields | undefined): boolean {
  const [now, wanted] = [fieldsOf(story, edit), fieldsOf(edit, edit)];
  const open = Object.keys(edit).filter((name) => now[name] !== wanted[name]);
  const foreign = open.find((name) => before !== undefined && before[name] !== now[name]);
  if (foreign !== undefined) throw new TrackerError('conflict', changedSentence(story, foreign));
  return open.length === 0;
}

/**
 * Whether all that a story lacks of an edit is blanks at the beginning of a text. Many servers keep none; they are sent all the same where
 * the edit brings them, compared to what was `seen` before.
 */
export function lacksBlanks(story: Story, edit: StoryEdit, seen: StoryEdit = {}): boolean {
  const [now, had]: readonly Readonly<Record<string, unknown>>[] = [{ ...story }, { ...seen }];
  return Object.entries(edit).some(([name, text]) => {
    if (typeof text !== 'string') return false;
    const [is, was] = [now?.[name] ?? '', had?.[name]].map((value) => (typeof value === 'string' ? value : undefined));
    if (is === undefined || asServersKeep(is) !== asServersKeep(text) || haveSameBlanks(is, text)) return false;
    return was === undefined || !haveSameBlanks(was, text);
  });
}

/** Characters of a value that are quoted. */
const QUOTED = 80;

function quoted(text: string): string {
  return t('“{0}”', visibleLine(text, QUOTED));
}

function changedSentence(story: Story, name: string): string {
  const words = fieldWords();
  const field = fieldNames(words).find((one) => one === name);
  const value = field ? fieldText(story[field]) : '';
  if (field === 'labels') {
    const said = t('The labels of story #{0} were changed elsewhere.', story.id);
    return value === '' ? t('{0} There are none now.', said) : t('{0} They are {1} now.', said, quoted(value));
  }
  const said = t('The {0} of story #{1} was changed elsewhere.', field ? words[field] : name, story.id);
  if (value !== '') return t('{0} It is {1} now.', said, quoted(value));
  return field === 'name' || field === 'description'
    ? t('{0} It is empty now.', said)
    : t('{0} There is none now.', said);
}

/** Done twice it is as done once. */
export const tickOrMoveTask: Attempt<'task' | 'moveTask'> = async (
  { tracker, send, options },
  { project },
  intent,
) => ({
  task: await send(() => sendIntent(tracker, project.projectId, intent, options)),
});

export const editTask: Attempt<'editTask'> = ({ tracker, send, options }, { project }, intent) => {
  const { projectId } = project;
  const { storyId, taskId, description, known } = intent;
  const read = () => tracker.getTaggedTask({ projectId, storyId }, taskId, options);
  return changedAsRead(read, async (now, condition) => {
    if (asServersKeep(now.description) === asServersKeep(description)) return { task: now };
    if (asServersKeep(now.description) !== asServersKeep(known)) {
      const said = t('This task of story #{0} was changed elsewhere.', storyId);
      throw new TrackerError('conflict', t('{0} It is {1} now.', said, quoted(now.description)));
    }
    return { task: await send(() => sendIntent(tracker, projectId, intent, { ...options, ...condition })) };
  });
};

/** A task that is not there is as it is wanted, unless its story is not there either, which may be in another project by now. */
export const deleteTask: Attempt<'deleteTask'> = async ({ tracker, send, options }, { project, sentAt }, intent) => {
  const { projectId } = project;
  const { storyId, taskId } = intent;
  try {
    await send(() => sendIntent(tracker, projectId, intent, options));
    return { deletedTask: taskId };
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    const tasks = await tracker.listTasks({ projectId, storyId }, options);
    if (tasks.some(({ id }) => id === taskId)) throw thrown;
    return { deletedTask: taskId, isRepeated: sentAt === undefined };
  }
};

/**
 * A story that is not there is as it is wanted, where its project is: what answers for a server that is put away, or of
 * which one is no member any more, says the same of every story.
 */
export const deleteStory: Attempt<'deleteStory'> = async ({ tracker, send, options }, { project, sentAt }, intent) => {
  const { projectId } = project;
  try {
    await send(() => sendIntent(tracker, projectId, intent, options));
    return { isGone: true };
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
    await tracker.getProject(projectId, options);
    return { isGone: true, isRepeated: sentAt === undefined };
  }
};

/** A story whose answer was lost is in the other project by then. */
export const moveToProject: Attempt<'moveToProject'> = async (needs, { project: { projectId }, sentAt }, intent) => {
  const { tracker, send, options } = needs;
  const { storyId, targetProjectId } = intent;
  const isThere = () => isStory(tracker, { projectId: targetProjectId, storyId }, options);
  if (sentAt !== undefined && (await isThere())) return { isGone: true };
  try {
    const moved = await send(() => sendIntent(tracker, projectId, intent, options));
    // A server that does not know of such moves takes the change and does nothing.
    if (moved.projectId !== targetProjectId && !(await isThere()))
      throw new TrackerError('refused', t('The server does not move stories to other projects.'));
    return { isGone: true };
  } catch (thrown) {
    if (isMissing(thrown) && (await isThere())) return { isGone: true, isRepeated: true };
    throw thrown;
  }
};

export async function isStory(
  tracker: Tracker,
  ref: StoryRef,
  options: Parameters<Tracker['getStory']>[1],
): Promise<boolean> {
  try {
    await tracker.getStory(ref, options);
    return true;
  } catch (thrown) {
    if (isMissing(thrown)) return false;
    throw thrown;
  }
}
