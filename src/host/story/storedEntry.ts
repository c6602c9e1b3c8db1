import type { ZonedDate } from '../../core/calendar.ts';
import type { Intent, IntentKind } from '../../core/intents/intent.ts';
import type { StandingRun } from '../../core/moves/formerPositions.ts';
import type { MadeMove } from '../../core/moves/madeMove.ts';
import type { EntryProblem } from '../../core/outbox/outbox.ts';
import type { Attachment } from '../../core/story/attachment.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Note, Story, StoryEdit, Task } from '../../core/story/story.ts';
import type {
  CarriedStories,
  EntryKind,
  EntryValues,
  GoneStories,
  GoneStory,
  GoneTask,
  MadeEdit,
  StoredEntry,
  ThereStory,
  ThereTask,
} from './entryValues.ts';

/** Whether a value that was written down has a form. */
type Check = (value: unknown) => boolean;

/** A check for each member, those that may be absent too; a type that gets another one does not compile without. */
type Members<T> = { readonly [K in keyof T]-?: Check };

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isId: Check = (value) => Number.isSafeInteger(value);
const isOneOf =
  (...texts: readonly string[]): Check =>
  (value) =>
    texts.some((text) => text === value);
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

function objectOf<T>(members: Members<T>): Check {
  const checks: readonly (readonly [string, unknown])[] = Object.entries(members);
  return (value) =>
    isRecord(value) && checks.every(([name, check]) => typeof check === 'function' && check(value[name]) === true);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isDate = objectOf<ZonedDate>({ text: isText, time: maybe(isNumber) });
const isKey = objectOf<ProjectKey>({ accountId: isText, projectId: isId });
const areIds = listOf(isId);
const areTexts = listOf(isText);
const isNewTask = objectOf<{ description: string; complete: boolean }>({ description: isText, complete: isFlag });
const isBeside = objectOf<NonNullable<StandingRun['beside']>>({ place: isOneOf('before', 'after'), targetId: isId });
const isRun = objectOf<StandingRun>({
  kind: isOneOf('open', 'inProgress', 'icebox'),
  area: isOneOf('scheduled', 'icebox'),
  storyIds: areIds,
  above: maybe(isId),
  below: maybe(isId),
  beside: maybe(isBeside),
});
const areRuns = listOf(isRun);
const isTicket = objectOf<NonNullable<StoryEdit['ticket']>>({
  prefix: maybe(isText),
  externalId: isText,
  integrationId: maybe(isNumber),
});
const isEdit = objectOf<StoryEdit>({
  type: maybe(isText),
  state: maybe(isText),
  name: maybe(isText),
  estimate: maybe(orNull(isNumber)),
  description: maybe(orNull(isText)),
  requestedBy: maybe(isText),
  ownedBy: maybe(orNull(isText)),
  labels: maybe(areTexts),
  deadline: maybe(orNull(isDate)),
  createdAt: maybe(isDate),
  acceptedAt: maybe(isDate),
  ticket: maybe(orNull(isTicket)),
});
const isNewStory: Check = (value) => isEdit(value) && isRecord(value) && isText(value.name);
const isProblem = objectOf<EntryProblem>({
  kind: isText,
  message: isText,
  times: maybe(isNumber),
  since: maybe(isNumber),
  isPassed: maybe(isFlag),
});
const isTask = objectOf<Task>({
  id: isId,
  description: isText,
  position: maybe(isNumber),
  complete: isFlag,
  createdAt: maybe(isDate),
});
const isNote = objectOf<Note>({ id: isId, text: isText, author: maybe(isText), notedAt: maybe(isDate) });
const isAttachment = objectOf<Attachment>({
  id: isId,
  filename: isText,
  description: maybe(isText),
  uploadedBy: maybe(isText),
  uploadedAt: maybe(isDate),
  url: maybe(isText),
  size: maybe(isNumber),
  status: maybe(isText),
});
const isStory = objectOf<Story>({
  id: isId,
  projectId: maybe(isId),
  type: isText,
  state: isText,
  name: isText,
  url: maybe(isText),
  estimate: maybe(isNumber),
  description: maybe(isText),
  requestedBy: maybe(isText),
  ownedBy: maybe(isText),
  createdAt: maybe(isDate),
  updatedAt: maybe(isDate),
  acceptedAt: maybe(isDate),
  deadline: maybe(isDate),
  labels: areTexts,
  rank: maybe(isText),
  ticket: maybe(isTicket),
  attachments: listOf(isAttachment),
  notes: listOf(isNote),
  tasks: listOf(isTask),
});

type Fields<K extends IntentKind> = Members<Omit<Intent<K>, 'kind' | 'storyId'>>;

/** What is checked of each kind of change; `undefined` for those that have no opposite of their own kind, and so are in no edit. */
const INTENTS: { readonly [K in IntentKind]: Fields<K> | undefined } = {
  edit: { edit: isEdit, known: maybe(isEdit) },
  labels: {
    change: objectOf<Intent<'labels'>['change']>({ add: areTexts, remove: areTexts }),
    known: areTexts,
  },
  task: { taskId: isId, complete: isFlag },
  editTask: { taskId: isId, description: isText, known: isText },
  moveTask: { taskId: isId, position: isId },
  move: undefined,
  comment: undefined,
  newTask: undefined,
  deleteTask: undefined,
  newStory: undefined,
  deleteStory: undefined,
  moveToProject: undefined,
  link: undefined,
};

const isIntent: Check = (value) => {
  if (!isRecord(value) || !isId(value.storyId)) return false;
  const [, fields] = Object.entries(INTENTS).find(([kind]) => kind === value.kind) ?? [];
  return fields !== undefined && objectOf<object>(fields)(value);
};

const isWaiting = { entryIds: maybe(areTexts), waiting: maybe(isProblem) };
const isGoneStory = objectOf<GoneStory>({
  story: isStory,
  waiting: maybe(isProblem),
  waitingEntries: maybe(areTexts),
});
const isEntryIds: Check = (value) => Array.isArray(value) && value.length === 2 && isId(value[0]) && areTexts(value[1]);

/** Every kind of entry with what its value is like. */
const VALUES: { readonly [K in EntryKind]: Check } = {
  move: objectOf<EntryValues['move']>({
    made: objectOf<MadeMove>({ storyIds: areIds, now: areRuns, formerly: areRuns }),
    isNew: isFlag,
    submission: maybe(
      objectOf<NonNullable<EntryValues['move']['submission']>>({
        entryIds: areTexts,
        waiting: maybe(isProblem),
        isReplaced: maybe(isFlag),
      }),
    ),
  }),
  edit: objectOf<EntryValues['edit']>({
    made: listOf(objectOf<MadeEdit>({ intent: isIntent, back: isIntent, waitingEntries: maybe(areTexts) })),
    formerly: areRuns,
  }),
  thereStories: listOf(
    objectOf<ThereStory>({
      storyId: isId,
      made: maybe(isNewStory),
      tasks: maybe(listOf(isNewTask)),
      newestOther: maybe(isId),
      entryId: maybe(isText),
    }),
  ),
  goneStories: objectOf<GoneStories>({ stories: listOf(isGoneStory), places: areRuns }),
  thereTask: objectOf<EntryValues['thereTask']>({
    storyId: isId,
    task: objectOf<ThereTask>({ taskId: maybe(isId), description: isText, ...isWaiting }),
  }),
  goneTask: objectOf<EntryValues['goneTask']>({
    storyId: isId,
    task: objectOf<GoneTask>({
      taskId: maybe(isId),
      description: isText,
      complete: maybe(isFlag),
      position: maybe(isId),
      ...isWaiting,
    }),
  }),
  carriedStories: objectOf<EntryValues['carriedStories']>({
    to: isKey,
    way: isOneOf('back', 'there'),
    carried: objectOf<CarriedStories>({
      stories: listOf(isStory),
      places: areRuns,
      waiting: maybe(isProblem),
      waitingEntries: maybe(listOf(isEntryIds)),
    }),
  }),
};

/** Whether a value that was written down is an entry of this version; another one is as if it were not there. */
export function isStoredEntry(value: unknown): value is StoredEntry {
  if (!isRecord(value) || !isKey(value.key) || !areIds(value.storyIds)) return false;
  const [, check] = Object.entries(VALUES).find(([kind]) => kind === value.kind) ?? [];
  return check?.(value.value) === true;
}
