import type { MovePlace } from '../../core/backlog/ordering.ts';
import { failureMeans, kindOf, TrackerError, withFieldNames } from '../../core/errors.ts';
import type {
  BacklogOptions,
  CallOptions,
  GivenName,
  StoryQuery,
  Tagged,
  Tracker,
  UploadOptions,
} from '../../core/ports/tracker.ts';
import type { Activity, ActivityQuery } from '../../core/story/activity.ts';
import { type Attachment, lastOfPath, type UploadSource } from '../../core/story/attachment.ts';
import type {
  ExportFormat,
  ImportedId,
  ImportOptions,
  ImportProgress,
  ImportReport,
  RenumberedStory,
} from '../../core/story/importReport.ts';
import type { Iteration, IterationGroup } from '../../core/story/iteration.ts';
import type { Membership, NewMembership, NewProject, Project } from '../../core/story/project.ts';
import type {
  IntegrationEdit,
  NewIntegration,
  PlanChange,
  ProjectEdit,
  ProjectSettings,
  SettingsIntegration,
} from '../../core/story/projectSettings.ts';
import type { NewStory, Note, Story, StoryEdit, StoryRef, Task } from '../../core/story/story.ts';
import type { SourceCommit } from '../../core/story/storyAddress.ts';
import { t } from '../../core/translation.ts';
import { readActivity } from '../../v3/activity.ts';
import { DRY_RUN_PARAMETER, HOSTED_PAYLOAD_FIELD, PLAN_CHANGE_ELEMENT } from '../../v3/assumptions.ts';
import { readAttachment } from '../../v3/attachment.ts';
import { integrationEditElement, integrationFieldOf, readSettingsIntegration } from '../../v3/integration.ts';
import {
  keptNameElement,
  newMembershipElement,
  readMembership,
  readNamedStories,
  roleElement,
} from '../../v3/membership.ts';
import { newProjectElement } from '../../v3/newProject.ts';
import { readNote } from '../../v3/note.ts';
import { readProject } from '../../v3/project.ts';
import { projectEditElement, projectFieldOf, readPlanChange, readProjectSettings } from '../../v3/projectSettings.ts';
import { readTask } from '../../v3/task.ts';
import { readToken } from '../../v3/token.ts';
import {
  type AnswerReader,
  iterationList,
  listOf,
  one,
  perhaps,
  stories,
  story,
  unlessEmpty,
} from '../http/answers.ts';
import { type Calls, callsTo, type TrackerOptions } from '../http/calls.ts';
import { basicAuthorization } from '../http/tokenHeader.ts';
import { openUploadBody } from '../http/uploadBody.ts';
import { isInsecure } from '../network/baseUrl.ts';
import { query, storyWrites, xml } from './intentRequest.ts';
import { TransferCalls } from './transferCalls.ts';

const project = one('project', readProject);
const membership = one('membership', readMembership);
const namedStories = one('membership', readNamedStories);
const settings = one('project', readProjectSettings);
const planChange = one(PLAN_CHANGE_ELEMENT, readPlanChange);
const integration = one('integration', readSettingsIntegration);
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
  return new HttpTracker(options.baseUrl, callsTo(options));
}

/** The port of a tracker, each call put into the protocol's words. */
export class HttpTracker implements Tracker {
  private readonly baseUrl: string;
  private readonly calls: Calls;
  private readonly transfers: TransferCalls;

  constructor(baseUrl: string, calls: Calls) {
    this.baseUrl = baseUrl;
    this.calls = calls;
    this.transfers = new TransferCalls(calls);
  }

  /** The same server, over the same connections, for reads that share the time of one; `waited` milliseconds have passed of it. */
  sharingTime(waited: number): Tracker {
    return new HttpTracker(this.baseUrl, this.calls.sharingTime(waited));
  }

  /** Ends what is under way and closes all connections. */
  close(): Promise<void> {
    return this.calls.close();
  }

  /** Closes all connections once what is under way has ended. To be given no more calls. */
  retire(): Promise<void> {
    return this.calls.retire();
  }

  listProjects(options?: CallOptions): Promise<readonly Project[]> {
    return this.calls.call('listProjects', {}, listOf('projects', 'project', readProject), options);
  }

  getProject(projectId: number, options?: CallOptions): Promise<Project> {
    return this.calls.call('getProject', { projectId }, project, options);
  }

  createProject(created: NewProject, options?: CallOptions): Promise<Project> {
    return this.calls.call('createProject', {}, project, options, xml(newProjectElement(created)));
  }

  getProjectSettings(projectId: number, options?: CallOptions): Promise<Tagged<ProjectSettings>> {
    return tagged((onTag) => this.calls.call('getProjectSettings', { projectId }, settings, options, { onTag }));
  }

  updateProject(projectId: number, edit: ProjectEdit, options?: CallOptions): Promise<Tagged<ProjectSettings>> {
    const body = xml(projectEditElement(edit));
    const updated = tagged((onTag) =>
      this.calls.call('updateProject', { projectId }, settings, options, { ...body, onTag }),
    );
    return withFields(updated, projectFieldOf);
  }

  planAfterEdit(projectId: number, edit: ProjectEdit, options?: CallOptions): Promise<PlanChange> {
    const asked = { ...xml(projectEditElement(edit)), query: query({ [DRY_RUN_PARAMETER]: 'true' }) };
    return withFields(this.calls.call('updateProject', { projectId }, planChange, options, asked), projectFieldOf);
  }

  listMyMemberships(options?: CallOptions): Promise<readonly Membership[]> {
    return this.calls.call('listMyMemberships', {}, listOf('memberships', 'membership', readMembership), options);
  }

  listMemberships(projectId: number, options?: CallOptions): Promise<readonly Membership[]> {
    return this.calls.call(
      'listMemberships',
      { projectId },
      listOf('memberships', 'membership', readMembership),
      options,
    );
  }

  addMembership(projectId: number, added: NewMembership, options?: CallOptions): Promise<Membership> {
    return this.calls.call('addMembership', { projectId }, membership, options, xml(newMembershipElement(added)));
  }

  updateMembership(projectId: number, membershipId: number, role: string, options?: CallOptions): Promise<Membership> {
    const ids = { projectId, membershipId };
    return this.calls.call('updateMembership', ids, membership, options, xml(roleElement(role)));
  }

  giveNameTo(
    projectId: number,
    membershipId: number,
    { name, isTrial = false }: GivenName,
    options?: CallOptions,
  ): Promise<number> {
    const asked = { ...xml(keptNameElement(name)), query: query(isTrial ? { [DRY_RUN_PARAMETER]: 'true' } : {}) };
    return this.calls.call('updateMembership', { projectId, membershipId }, namedStories, options, asked);
  }

  removeMembership(projectId: number, membershipId: number, options?: CallOptions): Promise<Membership> {
    return this.calls.call('removeMembership', { projectId, membershipId }, membership, options);
  }

  tryRemoveMembership(projectId: number, membershipId: number, options?: CallOptions): Promise<Membership> {
    const asked = { query: query({ [DRY_RUN_PARAMETER]: 'true' }) };
    return this.calls.call('removeMembership', { projectId, membershipId }, membership, options, asked);
  }

  addIntegration(projectId: number, added: NewIntegration, options?: CallOptions): Promise<SettingsIntegration> {
    const body = xml(integrationEditElement(added));
    const made = this.calls.call('addIntegration', { projectId }, integration, options, body);
    return withFields(made, integrationFieldOf);
  }

  updateIntegration(
    projectId: number,
    integrationId: number,
    edit: IntegrationEdit,
    options?: CallOptions,
  ): Promise<SettingsIntegration> {
    const ids = { projectId, integrationId };
    const body = xml(integrationEditElement(edit));
    return withFields(this.calls.call('updateIntegration', ids, integration, options, body), integrationFieldOf);
  }

  removeIntegration(projectId: number, integrationId: number, options?: CallOptions): Promise<SettingsIntegration> {
    return this.calls.call('removeIntegration', { projectId, integrationId }, integration, options);
  }

  currentBacklog(projectId: number, options: BacklogOptions = {}): Promise<readonly Iteration[]> {
    const read: AnswerReader<readonly Iteration[]> = (body) => iterationList(body, options.onFirst);
    return this.calls.call('currentBacklog', { projectId }, read, options);
  }

  listIterations(
    projectId: number,
    group: IterationGroup | undefined,
    page: { readonly limit?: number; readonly offset?: number },
    options?: CallOptions,
  ): Promise<readonly Iteration[]> {
    const name = group === undefined ? 'listIterations' : ITERATIONS[group];
    return this.calls.call(name, { projectId }, iterationList, options, { query: query({ ...page }) });
  }

  listStories(projectId: number, asked: StoryQuery, options?: CallOptions): Promise<readonly Story[]> {
    return this.calls.call('listStories', { projectId }, stories, options, { query: query({ ...asked }) });
  }

  getStory({ projectId, storyId }: StoryRef, options?: CallOptions): Promise<Story> {
    return this.calls.call('getStory', { projectId, storyId }, story, options);
  }

  getTaggedStory({ projectId, storyId }: StoryRef, options?: CallOptions): Promise<Tagged<Story>> {
    return tagged((onTag) => this.calls.call('getStory', { projectId, storyId }, story, options, { onTag }));
  }

  createStory(projectId: number, created: NewStory, options?: CallOptions): Promise<Story> {
    return this.calls.send(storyWrites.createStory(projectId, created), story, options);
  }

  async updateStory(ref: StoryRef, edit: StoryEdit, options?: CallOptions): Promise<Story> {
    const updated = await this.calls.send(storyWrites.updateStory(ref, edit), perhaps(story), options);
    return updated ?? readBack(this.getStory(ref, options));
  }

  deleteStory(ref: StoryRef, options?: CallOptions): Promise<Story | undefined> {
    return this.calls.send(storyWrites.deleteStory(ref), unlessEmpty(story), options);
  }

  moveToProject(ref: StoryRef, targetProjectId: number, options?: CallOptions): Promise<Story> {
    return this.calls.send(storyWrites.moveToProject(ref, targetProjectId), story, options);
  }

  deliverAllFinished(projectId: number, options?: CallOptions): Promise<readonly Story[]> {
    return this.calls.call('deliverAllFinished', { projectId }, stories, options);
  }

  async moveStory(ref: StoryRef, place: MovePlace, targetId: number, options?: CallOptions): Promise<Story> {
    const moved = await this.calls.send(storyWrites.moveStory(ref, place, targetId), perhaps(story), options);
    return moved ?? readBack(this.getStory(ref, options));
  }

  listNotes({ projectId, storyId }: StoryRef, options?: CallOptions): Promise<readonly Note[]> {
    return this.calls.call('listNotes', { projectId, storyId }, notes, options);
  }

  addNote(ref: StoryRef, text: string, options?: CallOptions): Promise<Note> {
    return this.calls.send(storyWrites.addNote(ref, text), note, options);
  }

  listTasks({ projectId, storyId }: StoryRef, options?: CallOptions): Promise<readonly Task[]> {
    return this.calls.call('listTasks', { projectId, storyId }, listOf('tasks', 'task', readTask), options);
  }

  /** Where a server does not answer for a task by itself, it is looked for among those of its story. */
  async getTaggedTask(ref: StoryRef, taskId: number, options?: CallOptions): Promise<Tagged<Task>> {
    try {
      return await tagged((onTag) => this.calls.call('getTask', { ...ref, taskId }, task, options, { onTag }));
    } catch (thrown) {
      if (!failureMeans(kindOf(thrown), 'notOffered')) throw thrown;
      const value = (await this.listTasks(ref, options)).find(({ id }) => id === taskId);
      if (value) return { value };
      throw thrown;
    }
  }

  addTask(ref: StoryRef, description: string, options?: CallOptions): Promise<Task> {
    return this.calls.send(storyWrites.addTask(ref, description), task, options);
  }

  async updateTask(
    ref: StoryRef,
    taskId: number,
    edit: Parameters<Tracker['updateTask']>[2],
    options?: CallOptions,
  ): Promise<Task> {
    const updated = await this.calls.send(storyWrites.updateTask(ref, taskId, edit), perhaps(task), options);
    return updated ?? (await readBack(this.getTaggedTask(ref, taskId, options))).value;
  }

  removeTask(ref: StoryRef, taskId: number, options?: CallOptions): Promise<Task | undefined> {
    return this.calls.send(storyWrites.removeTask(ref, taskId), unlessEmpty(task), options);
  }

  async uploadAttachment(ref: StoryRef, source: UploadSource, options: UploadOptions = {}): Promise<Attachment> {
    const { projectId, storyId } = ref;
    const body = await openUploadBody(source, options.onProgress);
    try {
      const sent = await this.calls.call('uploadAttachment', { projectId, storyId }, perhaps(attachment), options, {
        body,
      });
      return sent ? { ...sent, filename: sent.filename || source.filename } : await this.newestOf(ref, source, options);
    } finally {
      await body.close();
    }
  }

  /** For a server whose answer to an upload says nothing: the story lists the attachment afterwards (endpoint 5). */
  private async newestOf(ref: StoryRef, source: UploadSource, options: CallOptions): Promise<Attachment> {
    const { attachments } = await this.getStory(ref, options);
    const name = lastOfPath(source.filename);
    const found = attachments.filter(({ filename }) => filename === name).sort((a, b) => b.id - a.id)[0];
    if (found) return found;
    throw new TrackerError(
      'protocol',
      t('The server accepted "{0}", but the story does not list it yet. Refresh to see it.', source.filename),
    );
  }

  getAttachment({ projectId, storyId }: StoryRef, attachmentId: number, options?: CallOptions): Promise<Attachment> {
    return this.calls.call('getAttachment', { projectId, storyId, attachmentId }, attachment, options);
  }

  importStories(path: string, wanted: ImportOptions, options?: UploadOptions): Promise<ImportReport> {
    return this.transfers.importStories(path, wanted, options);
  }

  importProgress(importId: number, options?: CallOptions): Promise<ImportProgress> {
    return this.transfers.importProgress(importId, options);
  }

  importedIds(projectId: number, ids: readonly string[], options?: CallOptions): Promise<readonly ImportedId[]> {
    return this.transfers.importedIds(projectId, ids, options);
  }

  renumberedStories(options?: CallOptions): Promise<readonly RenumberedStory[]> {
    return this.transfers.renumberedStories(options);
  }

  exportProject(projectId: number, format: ExportFormat, path: string, options?: UploadOptions): Promise<number> {
    return this.transfers.exportProject(projectId, format, path, options);
  }

  listActivities(asked: ActivityQuery, options?: CallOptions): Promise<readonly Activity[]> {
    const { projectId, newerThanVersion, occurredSince, limit } = asked;
    const read = listOf('activities', 'activity', readActivity);
    const where = {
      query: query({ limit, newer_than_version: newerThanVersion, occurred_since_date: occurredSince }),
    };
    return projectId === undefined
      ? this.calls.call('listActivities', {}, read, options, where)
      : this.calls.call('projectActivities', { projectId }, read, options, where);
  }

  async postSourceCommit(commit: SourceCommit, options?: CallOptions): Promise<readonly Note[]> {
    const made = await this.calls.send(storyWrites.postSourceCommit(commit), perhaps(notes), options);
    return made ?? [];
  }

  async postHostedCommits(payload: string, options?: CallOptions): Promise<readonly Note[]> {
    const text = new URLSearchParams({ [HOSTED_PAYLOAD_FIELD]: payload }).toString();
    const body = { contentType: 'application/x-www-form-urlencoded', text };
    const made = await this.calls.call('postHostedCommits', {}, perhaps(notes), options, { body, login: 'query' });
    return made ?? [];
  }

  async activeToken(
    login: { readonly username: string; readonly password: string },
    options?: CallOptions,
  ): Promise<string> {
    if (isInsecure(this.baseUrl)) {
      throw new TrackerError(
        'input',
        t('A password is only sent over https or to this machine. Use an https address, or a token.'),
      );
    }
    const authorization = basicAuthorization(login);
    const token = await this.calls.call('getActiveToken', {}, one('token', readToken), options, {
      login: { authorization },
    });
    return token.guid;
  }
}

/** What is refused names the fields as the one who calls does, not as the protocol. */
async function withFields<T>(answer: Promise<T>, fieldOf: (element: string) => string): Promise<T> {
  try {
    return await answer;
  } catch (thrown) {
    if (!(thrown instanceof TrackerError) || thrown.fields.length === 0) throw thrown;
    throw withFieldNames(thrown, fieldOf);
  }
}

/** An answer with the tag that came with it. */
async function tagged<T>(ask: (onTag: (tag: string) => void) => Promise<T>): Promise<Tagged<T>> {
  let tag: string | undefined;
  const value = await ask((told) => {
    tag = told;
  });
  return { value, ...(tag !== undefined && { tag }) };
}

/** What came of a change that was answered without it: the change was made, so that nothing may say of it that it never left. */
async function readBack<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (thrown) {
    if (!(thrown instanceof TrackerError)) throw thrown;
    const { kind, message, request } = thrown;
    throw new TrackerError(kind, message, request === undefined ? {} : { request });
  }
}
