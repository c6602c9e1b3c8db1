import type { Backlog } from '../backlog/backlog.ts';
import type { Story } from '../story/story.ts';
import { commentRules } from './comment.ts';
import { editRules } from './edit.ts';
import { isPendingStory } from './editedStory.ts';
import type { Intent, IntentKind } from './intent.ts';
import { labelsRules } from './labels.ts';
import { isPendingTask, newTaskRules } from './newTask.ts';
import { placeOf, type RulesOfKind } from './rulesOfKind.ts';
import { deleteTaskRules, editTaskRules, moveTaskRules, taskRules } from './task.ts';
import { deleteStoryRules, linkRules, moveRules, moveToProjectRules, newStoryRules } from './wholeStory.ts';

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
