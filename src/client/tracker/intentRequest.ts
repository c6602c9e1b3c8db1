import type { Intent, IntentKind, IntentRequest } from '../../core/intents/intent.ts';
import { withLabels } from '../../core/intents/labels.ts';
import type { CallOptions, Tracker } from '../../core/ports/tracker.ts';
import type { StoryEdit } from '../../core/story/story.ts';
import type { SourceCommit } from '../../core/story/storyAddress.ts';
import type { Element } from '../../v3/element.ts';
import { type EndpointName, type EndpointParams, endpointPath, endpoints } from '../../v3/endpoints.ts';
import { moveParameters } from '../../v3/move.ts';
import { newNoteElement } from '../../v3/note.ts';
import { sourceCommitElement } from '../../v3/sourceCommit.ts';
import { projectChangeElement, storyEditElement } from '../../v3/story.ts';
import { type TaskEdit, taskEditElement } from '../../v3/task.ts';
import { writeDocument } from '../../v3/write.ts';
import type { RequestToSend } from '../http/calls.ts';

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

/** The body of a change. */
export function xml(root: Element): { readonly body: { readonly contentType: string; readonly text: string } } {
  return { body: { contentType: 'application/xml', text: writeDocument(root) } };
}

/** A query of those values that are given. */
export function query(values: Readonly<Record<string, string | number | undefined>>): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters;
}

const storyEditBody = (edit: StoryEdit) => xml(storyEditElement(edit));
const taskBody = (edit: TaskEdit) => xml(taskEditElement(edit));
const noteBody = (text: string) => xml(newNoteElement(text));
const sourceCommitBody = (commit: SourceCommit) => xml(sourceCommitElement(commit));

/** The changes to stories that can wait, each with what comes of it: a server's answer, or the request that would be sent. */
interface StoryWrites<R extends { readonly [K in keyof Answers]: unknown }> {
  createStory(...args: Parameters<Tracker['createStory']>): R['story'];
  updateStory(...args: Parameters<Tracker['updateStory']>): R['story'];
  moveStory(...args: Parameters<Tracker['moveStory']>): R['story'];
  addNote(...args: Parameters<Tracker['addNote']>): R['note'];
  addTask(...args: Parameters<Tracker['addTask']>): R['task'];
  updateTask(...args: Parameters<Tracker['updateTask']>): R['task'];
  removeTask(...args: Parameters<Tracker['removeTask']>): R['goneTask'];
  deleteStory(...args: Parameters<Tracker['deleteStory']>): R['goneStory'];
  moveToProject(...args: Parameters<Tracker['moveToProject']>): R['story'];
  postSourceCommit(...args: Parameters<Tracker['postSourceCommit']>): R['notes'];
}

/** What a server answers to them. */
interface Answers {
  readonly story: ReturnType<Tracker['updateStory']>;
  readonly note: ReturnType<Tracker['addNote']>;
  readonly task: ReturnType<Tracker['updateTask']>;
  readonly goneStory: ReturnType<Tracker['deleteStory']>;
  readonly goneTask: ReturnType<Tracker['removeTask']>;
  readonly notes: ReturnType<Tracker['postSourceCommit']>;
}

/** The requests instead: of what is sent, and of what is only shown beforehand. */
interface Requests {
  readonly story: RequestToSend;
  readonly note: RequestToSend;
  readonly task: RequestToSend;
  readonly goneStory: RequestToSend;
  readonly goneTask: RequestToSend;
  readonly notes: RequestToSend;
}

export const storyWrites: StoryWrites<Requests> = {
  createStory: (projectId, story) => request('createStory', { projectId }, storyEditBody(story)),
  updateStory: (story, edit) => request('updateStory', story, storyEditBody(edit)),
  moveStory: (story, place, targetId) => request('moveStory', story, { query: moveParameters({ place, targetId }) }),
  addNote: (story, text) => request('addNote', story, noteBody(text)),
  addTask: (story, description) => request('addTask', story, taskBody({ description })),
  updateTask: (story, taskId, edit) => request('updateTask', { ...story, taskId }, taskBody(edit)),
  removeTask: (story, taskId) => request('removeTask', { ...story, taskId }, {}),
  deleteStory: (story) => request('deleteStory', story, {}),
  moveToProject: (story, targetProjectId) => request('updateStory', story, xml(projectChangeElement(targetProjectId))),
  postSourceCommit: (commit) => request('postSourceCommit', {}, sourceCommitBody(commit)),
};

function request<N extends EndpointName>(
  name: N,
  params: EndpointParams<N>,
  parts: Pick<RequestToSend, 'query' | 'body'>,
): RequestToSend {
  return { method: endpoints[name].method, path: endpointPath(name, params), ...parts };
}
