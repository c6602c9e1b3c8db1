import type { Tracker } from '../../core/ports/tracker.ts';
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
export interface StoryWrites<R extends { readonly [K in keyof Answers]: unknown }> {
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
export interface Answers {
  readonly story: ReturnType<Tracker['updateStory']>;
  readonly note: ReturnType<Tracker['addNote']>;
  readonly task: ReturnType<Tracker['updateTask']>;
  readonly goneStory: ReturnType<Tracker['deleteStory']>;
  readonly goneTask: ReturnType<Tracker['removeTask']>;
  readonly notes: ReturnType<Tracker['postSourceCommit']>;
}

/** The requests instead: of what is sent, and of what is only shown beforehand. */
export interface Requests {
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
