import { type Backlog, findStory, withStories } from '../backlog/backlog.ts';
import { outOfIcebox, withMove } from '../backlog/ordering.ts';
import { isScheduled } from '../backlog/workflow.ts';
import { fieldNames } from '../fieldNames.ts';
import type { Story } from '../story/story.ts';
import { fieldText, fieldWords } from '../story/storyFields.ts';
import { asServersKeep } from '../text.ts';
import { commentRules } from './comment.ts';
import { editRules, isPendingStory, pendingStory, valuesIn } from './edit.ts';
import type { Intent, IntentKind } from './intent.ts';
import { labelsRules } from './labels.ts';
import { isPendingTask, newTaskRules } from './newTask.ts';
import { allOf, fieldsOf, itsStory, notesOf, ORDER, placeOf, type RulesOfKind } from './rulesOfKind.ts';
import { deleteTaskRules, editTaskRules, moveTaskRules, taskRules } from './task.ts';

const newStoryRules: RulesOfKind<'newStory'> = {
  apply: (backlog, intent) => (findStory(backlog, intent.storyId) ? backlog : withNewStory(backlog, intent)),
  touches: ({ beside }) => ['new stories', ...(beside ? [ORDER, placeOf(beside.targetId)] : [])],
  undo: undefined,
  isRepeatable: false,
  showsPlace: false,
  /** A neighbour that is to be made too is so before it. */
  needsStories: () => [],
};

/** Where it is to stand, else on top of the icebox or at the end of the backlog, where our service puts it too. */
function withNewStory(backlog: Backlog, { storyId, story, beside, tasks = [] }: Intent<'newStory'>): Backlog {
  const pendingTasks = tasks.map((task, index) => ({ id: -1 - index, ...task }));
  const added = { ...pendingStory(storyId, story), tasks: pendingTasks };
  const inList = isScheduled(added.state)
    ? outOfIcebox(backlog, added)
    : { ...backlog, icebox: [added, ...backlog.icebox] };
  return beside ? withMove(inList, storyId, beside.place, beside.targetId) : inList;
}

/** Of what takes a story from its backlog. What makes up for it takes more than the story as it is shown here. */
const goneRules = {
  apply: (backlog: Backlog, { storyId }: { readonly storyId: number }) => withoutStory(backlog, storyId),
  touches: ({ storyId }: { readonly storyId: number }) => allOf(storyId),
  undo: undefined,
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
} as const;

const deleteStoryRules: RulesOfKind<'deleteStory'> = goneRules;

/** The story shows in its new project once that was read again. */
const moveToProjectRules: RulesOfKind<'moveToProject'> = goneRules;

function withoutStory(backlog: Backlog, storyId: number): Backlog {
  if (!findStory(backlog, storyId)) return backlog;
  return withStories(backlog, (stories) =>
    stories.some(({ id }) => id === storyId) ? stories.filter(({ id }) => id !== storyId) : stories,
  );
}

/** What a person moves back is moved by a history of its own, which knows where it stood. */
const moveRules: RulesOfKind<'move'> = {
  apply: (backlog, { storyId, place, targetId }) =>
    findStory(backlog, storyId) ? withMove(backlog, storyId, place, targetId) : backlog,
  touches: ({ storyId, targetId }) => [ORDER, placeOf(storyId), placeOf(targetId)],
  undo: undefined,
  isRepeatable: true,
  showsPlace: false,
  needsStories: ({ storyId, targetId }) => [storyId, targetId],
};

const linkRules: RulesOfKind<'link'> = {
  /** A commit on its way is shown by where it stands in the outbox (`withUnsentIntents.ts`). */
  apply: (backlog) => backlog,
  /** Its marker may change the state of each, never the place in the order. */
  touches: ({ stories }) => stories.flatMap(({ storyId }) => [notesOf(storyId), fieldsOf(storyId)]),
  undo: undefined,
  isRepeatable: false,
  showsPlace: true,
  needsStories: ({ stories }) => stories.map(({ storyId }) => storyId),
};

/** Every kind with its rules: one that is new does not compile without. */
const RULES: { readonly [K in IntentKind]: RulesOfKind<K> } = {
  edit: editRules,
  move: moveRules,
  comment: commentRules,
  labels: labelsRules,
  task: taskRules,
  newTask: newTaskRules,
  editTask: editTaskRules,
  moveTask: moveTaskRules,
  deleteTask: deleteTaskRules,
  newStory: newStoryRules,
  deleteStory: deleteStoryRules,
  moveToProject: moveToProjectRules,
  link: linkRules,
};

/** Whether this version knows the kind; what a later one wrote into a file may hold others. */
export function isIntentKind(kind: unknown): kind is IntentKind {
  return typeof kind === 'string' && Object.hasOwn(RULES, kind);
}

/**
 * The backlog as it will look once a server has done what is wanted; unchanged where the story is not in it. Applied twice it
 * is as applied once. `place` is the entry's in the outbox, which tells its comment from an equal one.
 */
export function withIntent<K extends IntentKind>(backlog: Backlog, intent: Intent<K>, place = 0): Backlog {
  return RULES[intent.kind].apply(backlog, intent, place);
}

/** What the outcome of an intent depends on and what it changes, as words that are equal for the same thing. */
function touchedBy<K extends IntentKind>(intent: Intent<K>): readonly string[] {
  return RULES[intent.kind].touches(intent);
}

/** What makes a story again what it is now, after the intent; `undefined` for what cannot be taken back. */
export function reversedIntent<K extends IntentKind>(story: Story, intent: Intent<K>): Intent<K> | undefined {
  return RULES[intent.kind].undo?.reverse(story, intent);
}

/** Whether a story is as an intent left it, so that taking it back undoes nobody else's work. */
export function isAsLeft<K extends IntentKind>(story: Story, intent: Intent<K>): boolean {
  return RULES[intent.kind].undo?.isAsLeft(story, intent) ?? true;
}

/** Whether it may be sent again when nobody knows what became of it. */
export function isRepeatable({ kind }: Intent): boolean {
  return RULES[kind].isRepeatable;
}

/** Whether its entry's place in the outbox shows in what it does to a backlog. */
export function showsPlace({ kind }: Intent): boolean {
  return RULES[kind].showsPlace;
}

/** Whether it is about a story, or a task of one, that no server has yet, without being what makes it. */
export function meansPendingStory<K extends IntentKind>(intent: Intent<K>): boolean {
  const taskId: unknown = 'taskId' in intent ? intent.taskId : undefined;
  if (typeof taskId === 'number' && isPendingTask({ id: taskId })) return true;
  return RULES[intent.kind].needsStories(intent).some((id) => isPendingStory({ id }));
}

/**
 * Whether the order of two intents of one project matters to what becomes of them: moves among each other, what touches the
 * same fields of a story, comments or tasks of the same story, new stories among each other, and a move with what brings its stories into or out of the icebox.
 */
export function isOrderKept(one: Intent, other: Intent): boolean {
  const [ours, theirs] = [touchedBy(one), touchedBy(other)];
  return ours.some((what) => theirs.includes(what));
}

/** An intent that waits with others of its project; `mayGo` when no server can have heard of it. */
interface WaitingIntent {
  readonly intent: Intent;
  readonly mayGo: boolean;
}

/**
 * The indexes of the moves, in the order of sending, that lead nowhere: the same story is moved again behind them, and
 * nothing between is put next to it or takes it to the icebox or back. Without them the order becomes the same.
 */
export function needlessMoves(waiting: readonly WaitingIntent[]): readonly number[] {
  const needless: number[] = [];
  const movedLater = new Set<string>();
  for (const [index, { intent, mayGo }] of [...waiting.entries()].toReversed()) {
    if (intent.kind !== 'move') {
      for (const what of touchedBy(intent)) movedLater.delete(what);
    } else if (mayGo && movedLater.has(placeOf(intent.storyId))) {
      needless.push(index);
    } else {
      movedLater.add(placeOf(intent.storyId));
      movedLater.delete(placeOf(intent.targetId));
    }
  }
  return needless.toReversed();
}

/** Something of which a person and someone else have made different things, in the words of each. */
interface ConflictingText {
  /** What people call it in the middle of a sentence. */
  readonly what: string;
  readonly mine: string;
  /** Absent where it is gone. */
  readonly theirs?: string;
}

export interface Conflict {
  /** None where both have come to the same. */
  readonly texts: readonly ConflictingText[];
  /** What makes it as the person wants it, on top of what is there now. */
  readonly keepMine: Intent;
}

/** What an intent would overwrite in a story as it is now; `undefined` for kinds that overwrite nothing. */
export function conflictWith(story: Story, intent: Intent): Conflict | undefined {
  if (intent.kind === 'editTask') return conflictWithTask(story, intent);
  if (intent.kind !== 'edit') return undefined;
  const { kind, storyId, edit } = intent;
  const texts = fieldNames(edit).flatMap((field) => {
    const [mine, theirs] = [fieldText(edit[field]), fieldText(story[field])];
    return asServersKeep(mine) === asServersKeep(theirs) ? [] : [{ what: fieldWords()[field], mine, theirs }];
  });
  return { texts, keepMine: { kind, storyId, edit, known: valuesIn(story, edit) } };
}

/** A task that is gone is made anew, so that what was typed is not lost. */
function conflictWithTask(story: Story, intent: Intent<'editTask'>): Conflict {
  const { storyId, taskId, description: mine } = intent;
  const task = story.tasks.find(({ id }) => id === taskId);
  if (!task) return { texts: [{ what: 'task', mine }], keepMine: { kind: 'newTask', storyId, description: mine } };
  const theirs = task.description;
  const texts = asServersKeep(mine) === asServersKeep(theirs) ? [] : [{ what: 'task', mine, theirs }];
  return { texts, keepMine: { ...intent, known: theirs } };
}
