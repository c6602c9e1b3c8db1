import type { Activity, ActivityQuery } from '../core/activity.ts';
import type { Attachment, UploadSource } from '../core/attachment.ts';
import { TrackerError } from '../core/errors.ts';
import type { Iteration, IterationGroup } from '../core/iteration.ts';
import type { Log } from '../core/log.ts';
import { type Network, plainNetwork } from '../core/network.ts';
import type { Membership, NewMembership, NewProject, Project } from '../core/project.ts';
import type { SourceCommit } from '../core/sourceCommit.ts';
import type { NewStory, Note, Story, StoryEdit, StoryRef, Task } from '../core/story.ts';
import type { BacklogOptions, CallOptions, MovePlace, StoryQuery, Tracker, UploadOptions } from '../core/tracker.ts';
import { readActivity } from '../v3/activity.ts';
import { HOSTED_PAYLOAD_FIELD } from '../v3/assumptions.ts';
import { readAttachment } from '../v3/attachment.ts';
import type { Element } from '../v3/element.ts';
import { type EndpointName, type EndpointParams, endpointPath, endpoints } from '../v3/endpoints.ts';
import { newMembershipElement, readMembership } from '../v3/membership.ts';
import { moveParameters } from '../v3/move.ts';
import { newProjectElement } from '../v3/newProject.ts';
import { newNoteElement, readNote } from '../v3/note.ts';
import { readProject } from '../v3/project.ts';
import { sourceCommitElement } from '../v3/sourceCommit.ts';
import { readStory } from '../v3/story.ts';
import { storyEditElement } from '../v3/storyEdit.ts';
import { readTask, taskEditElement } from '../v3/task.ts';
import { readToken } from '../v3/token.ts';
import { writeDocument } from '../v3/write.ts';
import { type AnswerReader, iterationList, listOf, one, perhaps } from './answers.ts';
import { isInsecure, parseBaseUrl } from './baseUrl.ts';
import { type Connections, connectionsOver } from './connections.ts';
import { type Pace, realPace } from './retry.ts';
import { routeTo } from './route.ts';
import { type Call, Sender } from './sender.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from './timeouts.ts';
import { basicAuthorization, checkedTokenHeader } from './tokenHeader.ts';
import { openUploadBody } from './uploadBody.ts';

export interface TrackerOptions {
  /** http or https, perhaps with a port and a sub-path. */
  readonly baseUrl: string;
  /** Asked for every request; kept nowhere. */
  readonly token: () => Promise<string>;
  /** `X-ServiceToken` when left out. */
  readonly tokenHeader?: string;
  readonly log: Log;
  readonly timeouts?: Partial<Timeouts>;
  /** Proxies and certificates; `plainNetwork` when left out. */
  readonly network?: Network;
  readonly pace?: Pace;
}

const story = one('story', readStory);
const stories = listOf('stories', 'story', readStory);
const project = one('project', readProject);
const membership = one('membership', readMembership);
const note = one('note', readNote);
const notes = listOf('notes', 'note', readNote);
const task = one('task', readTask);
const attachment = one('attachment', readAttachment);

const ITERATIONS = {
  done: 'doneIterations',
  current: 'currentIteration',
  backlog: 'backlogIterations',
  current_backlog: 'currentBacklog',
} as const;

/** A server of API version 3 over HTTP. Throws `TrackerError` `input` when the address, the header name or the proxy cannot be used. */
export function createTracker(options: TrackerOptions): HttpTracker {
  return new HttpTracker(options);
}

export class HttpTracker implements Tracker {
  private readonly baseUrl: string;
  private readonly connections: Connections;
  private readonly sender: Sender;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(options: TrackerOptions) {
    const { baseUrl, token, tokenHeader, log, network = plainNetwork, pace = realPace } = options;
    const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    const base = parseBaseUrl(baseUrl);
    this.baseUrl = baseUrl;
    this.connections = connectionsOver(routeTo(base, network, timeouts.connect), base);
    this.sender = new Sender({
      base,
      dispatcher: this.connections.requests,
      uploadDispatcher: this.connections.uploads,
      token,
      tokenHeader: checkedTokenHeader(tokenHeader),
      timeouts,
      pace,
      log,
    });
  }

  /** Ends what is under way and closes all connections. */
  close(): Promise<void> {
    return this.connections.close();
  }

  /** Closes all connections once what is under way has ended. To be given no more calls. */
  async retire(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay);
    await this.close();
  }

  listProjects(options?: CallOptions): Promise<readonly Project[]> {
    return this.call('listProjects', {}, listOf('projects', 'project', readProject), options);
  }

  getProject(projectId: number, options?: CallOptions): Promise<Project> {
    return this.call('getProject', { projectId }, project, options);
  }

  createProject(created: NewProject, options?: CallOptions): Promise<Project> {
    return this.call('createProject', {}, project, options, xml(newProjectElement(created)));
  }

  listMemberships(projectId: number, options?: CallOptions): Promise<readonly Membership[]> {
    return this.call('listMemberships', { projectId }, listOf('memberships', 'membership', readMembership), options);
  }

  addMembership(projectId: number, added: NewMembership, options?: CallOptions): Promise<Membership> {
    return this.call('addMembership', { projectId }, membership, options, xml(newMembershipElement(added)));
  }

  removeMembership(projectId: number, membershipId: number, options?: CallOptions): Promise<Membership> {
    return this.call('removeMembership', { projectId, membershipId }, membership, options);
  }

  currentBacklog(projectId: number, options: BacklogOptions = {}): Promise<readonly Iteration[]> {
    const read: AnswerReader<readonly Iteration[]> = (body) => iterationList(body, options.onFirst);
    return this.call('currentBacklog', { projectId }, read, options);
  }

  listIterations(
    projectId: number,
    group: IterationGroup | undefined,
    page: { readonly limit?: number; readonly offset?: number },
    options?: CallOptions,
  ): Promise<readonly Iteration[]> {
    const name = group === undefined ? 'listIterations' : ITERATIONS[group];
    return this.call(name, { projectId }, iterationList, options, { query: query({ ...page }) });
  }

  listStories(projectId: number, asked: StoryQuery, options?: CallOptions): Promise<readonly Story[]> {
    return this.call('listStories', { projectId }, stories, options, { query: query({ ...asked }) });
  }

  getStory({ projectId, storyId }: StoryRef, options?: CallOptions): Promise<Story> {
    return this.call('getStory', { projectId, storyId }, story, options);
  }

  createStory(projectId: number, created: NewStory, options?: CallOptions): Promise<Story> {
    return this.call('createStory', { projectId }, story, options, xml(storyEditElement(created)));
  }

  async updateStory(ref: StoryRef, edit: StoryEdit, options?: CallOptions): Promise<Story> {
    const { projectId, storyId } = ref;
    const body = xml(storyEditElement(edit));
    const updated = await this.call('updateStory', { projectId, storyId }, perhaps(story), options, body);
    return updated ?? this.getStory(ref, options);
  }

  deleteStory({ projectId, storyId }: StoryRef, options?: CallOptions): Promise<Story> {
    return this.call('deleteStory', { projectId, storyId }, story, options);
  }

  deliverAllFinished(projectId: number, options?: CallOptions): Promise<readonly Story[]> {
    return this.call('deliverAllFinished', { projectId }, stories, options);
  }

  async moveStory(ref: StoryRef, place: MovePlace, targetId: number, options?: CallOptions): Promise<Story> {
    const { projectId, storyId } = ref;
    const where = { query: moveParameters({ place, targetId }) };
    const moved = await this.call('moveStory', { projectId, storyId }, perhaps(story), options, where);
    return moved ?? this.getStory(ref, options);
  }

  listNotes({ projectId, storyId }: StoryRef, options?: CallOptions): Promise<readonly Note[]> {
    return this.call('listNotes', { projectId, storyId }, notes, options);
  }

  addNote({ projectId, storyId }: StoryRef, text: string, options?: CallOptions): Promise<Note> {
    return this.call('addNote', { projectId, storyId }, note, options, xml(newNoteElement(text)));
  }

  listTasks({ projectId, storyId }: StoryRef, options?: CallOptions): Promise<readonly Task[]> {
    return this.call('listTasks', { projectId, storyId }, listOf('tasks', 'task', readTask), options);
  }

  addTask({ projectId, storyId }: StoryRef, description: string, options?: CallOptions): Promise<Task> {
    return this.call('addTask', { projectId, storyId }, task, options, xml(taskEditElement({ description })));
  }

  updateTask(
    { projectId, storyId }: StoryRef,
    taskId: number,
    edit: { readonly description?: string; readonly complete?: boolean },
    options?: CallOptions,
  ): Promise<Task> {
    return this.call('updateTask', { projectId, storyId, taskId }, task, options, xml(taskEditElement(edit)));
  }

  removeTask({ projectId, storyId }: StoryRef, taskId: number, options?: CallOptions): Promise<Task> {
    return this.call('removeTask', { projectId, storyId, taskId }, task, options);
  }

  async uploadAttachment(ref: StoryRef, source: UploadSource, options: UploadOptions = {}): Promise<Attachment> {
    const { projectId, storyId } = ref;
    const body = await openUploadBody(source, options.onProgress);
    try {
      const sent = await this.call('uploadAttachment', { projectId, storyId }, perhaps(attachment), options, { body });
      return sent ? { ...sent, filename: sent.filename || source.filename } : await this.newestOf(ref, source, options);
    } finally {
      await body.close();
    }
  }

  /** For a server whose answer to an upload says nothing: the story lists the attachment afterwards (endpoint 5). */
  private async newestOf(ref: StoryRef, source: UploadSource, options: CallOptions): Promise<Attachment> {
    const { attachments } = await this.getStory(ref, options);
    const found = attachments.filter(({ filename }) => filename === source.filename).sort((a, b) => b.id - a.id)[0];
    if (found) return found;
    throw new TrackerError(
      'protocol',
      `The server took "${source.filename}", but the story does not list it. Refresh to see.`,
    );
  }

  getAttachment({ projectId, storyId }: StoryRef, attachmentId: number, options?: CallOptions): Promise<Attachment> {
    return this.call('getAttachment', { projectId, storyId, attachmentId }, attachment, options);
  }

  listActivities(asked: ActivityQuery, options?: CallOptions): Promise<readonly Activity[]> {
    const { projectId, newerThanVersion, occurredSince, limit } = asked;
    const read = listOf('activities', 'activity', readActivity);
    const where = {
      query: query({ limit, newer_than_version: newerThanVersion, occurred_since_date: occurredSince }),
    };
    return projectId === undefined
      ? this.call('listActivities', {}, read, options, where)
      : this.call('projectActivities', { projectId }, read, options, where);
  }

  async postSourceCommit(commit: SourceCommit, options?: CallOptions): Promise<readonly Note[]> {
    const made = await this.call('postSourceCommit', {}, perhaps(notes), options, xml(sourceCommitElement(commit)));
    return made ?? [];
  }

  async postHostedCommits(payload: string, options?: CallOptions): Promise<readonly Note[]> {
    const text = new URLSearchParams({ [HOSTED_PAYLOAD_FIELD]: payload }).toString();
    const body = { contentType: 'application/x-www-form-urlencoded', text };
    const made = await this.call('postHostedCommits', {}, perhaps(notes), options, { body, login: 'query' });
    return made ?? [];
  }

  async activeToken(
    login: { readonly username: string; readonly password: string },
    options?: CallOptions,
  ): Promise<string> {
    if (isInsecure(this.baseUrl)) {
      throw new TrackerError(
        'input',
        'A password is sent over https or to this machine only. Use an https address, or a token.',
      );
    }
    const authorization = basicAuthorization(login);
    const token = await this.call('getActiveToken', {}, one('token', readToken), options, { login: { authorization } });
    return token.guid;
  }

  private async call<N extends EndpointName, T>(
    name: N,
    params: EndpointParams<N>,
    read: AnswerReader<T>,
    options: CallOptions = {},
    more: Pick<Call<T>, 'query' | 'body' | 'login'> = {},
  ): Promise<T> {
    const { method } = endpoints[name];
    const path = endpointPath(name, params);
    const calling = this.sender.call({ method, path, read, signal: options.signal, ...more });
    this.underWay.add(calling);
    try {
      return await calling;
    } finally {
      this.underWay.delete(calling);
    }
  }
}

function xml(root: Element): { readonly body: { readonly contentType: string; readonly text: string } } {
  return { body: { contentType: 'application/xml', text: writeDocument(root) } };
}

function query(values: Readonly<Record<string, string | number | undefined>>): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters;
}
