import type { Intent, IntentKind, IntentRequest } from '../../core/intents/intent.ts';
import { withLabels } from '../../core/intents/labels.ts';
import type { CallOptions, Tracker } from '../../core/ports/tracker.ts';
import { type Answers, type Requests, type StoryWrites, storyWrites } from './storyWrites.ts';

/** What a server answers to an intent of each kind. */
interface AnswerTo {
  readonly edit: 'story';
  readonly move: 'story';
  readonly comment: 'note';
  readonly labels: 'story';
  readonly task: 'task';
  readonly newTask: 'task';
  readonly editTask: 'task';
  readonly moveTask: 'task';
  readonly deleteTask: 'goneTask';
  readonly newStory: 'story';
  readonly deleteStory: 'goneStory';
  readonly moveToProject: 'story';
  readonly link: 'notes';
}

type Write<K extends IntentKind> = <R extends { readonly [A in keyof Answers]: unknown }>(
  to: StoryWrites<R>,
  projectId: number,
  intent: Intent<K>,
  options?: CallOptions,
) => R[AnswerTo[K]];

/** How an intent of each kind is sent: by the outbox through a tracker, by the preview through the requests alone. */
const WRITES: { readonly [K in IntentKind]: Write<K> } = {
  edit: (to, projectId, { storyId, edit }, options) => to.updateStory({ projectId, storyId }, edit, options),
  move: (to, projectId, { storyId, place, targetId }, options) =>
    to.moveStory({ projectId, storyId }, place, targetId, options),
  comment: (to, projectId, { storyId, text }, options) => to.addNote({ projectId, storyId }, text, options),
  /** On top of the labels that are `known`. */
  labels: (to, projectId, { storyId, change, known }, options) =>
    to.updateStory({ projectId, storyId }, { labels: withLabels(known, change) }, options),
  task: (to, projectId, { storyId, taskId, complete }, options) =>
    to.updateTask({ projectId, storyId }, taskId, { complete }, options),
  newTask: (to, projectId, { storyId, description }, options) =>
    to.addTask({ projectId, storyId }, description, options),
  editTask: (to, projectId, { storyId, taskId, description }, options) =>
    to.updateTask({ projectId, storyId }, taskId, { description }, options),
  moveTask: (to, projectId, { storyId, taskId, position }, options) =>
    to.updateTask({ projectId, storyId }, taskId, { position }, options),
  deleteTask: (to, projectId, { storyId, taskId }, options) => to.removeTask({ projectId, storyId }, taskId, options),
  newStory: (to, projectId, { story }, options) => to.createStory(projectId, story, options),
  deleteStory: (to, projectId, { storyId }, options) => to.deleteStory({ projectId, storyId }, options),
  moveToProject: (to, projectId, { storyId, targetProjectId }, options) =>
    to.moveToProject({ projectId, storyId }, targetProjectId, options),
  link: (to, _, { commit }, options) => to.postSourceCommit(commit, options),
};

/** Sends an intent as it is, whatever became of it before. */
export function sendIntent<K extends IntentKind>(
  tracker: Tracker,
  projectId: number,
  intent: Intent<K>,
  options: CallOptions,
): Answers[AnswerTo[K]] {
  return WRITES[intent.kind]<Answers>(tracker, projectId, intent, options);
}

/** What is sent for an intent, told beforehand; labels as they were known when it was asked for. */
export function requestFor<K extends IntentKind>(projectId: number, intent: Intent<K>): IntentRequest {
  const { method, path, query, body } = WRITES[intent.kind]<Requests>(storyWrites, projectId, intent);
  return { method, path: query ? `${path}?${query}` : path, ...(body && { body: body.text }) };
}
