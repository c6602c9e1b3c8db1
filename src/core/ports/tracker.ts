import type { MovePlace } from '../backlog/ordering.ts';
import type { Activity, ActivityQuery } from '../story/activity.ts';
import type { Attachment, UploadSource } from '../story/attachment.ts';
import type { Iteration, IterationGroup } from '../story/iteration.ts';
import type { Membership, NewMembership, NewProject, Project } from '../story/project.ts';
import type { NewStory, Note, Story, StoryEdit, StoryRef, Task } from '../story/story.ts';
import type { SourceCommit } from '../story/storyAddress.ts';

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Asked right before a change is sent: the call is `cancelled` where it may not go any more. */
  readonly mayGo?: () => boolean;
  /**
   * A change is made only while what is changed still has this tag; else the call throws `conflict` with status 412. Not every
   * server knows of it.
   */
  readonly ifMatch?: string;
}

/** A value with what its server calls this state of it, where it tells that: the same tag is the same state. */
export interface Tagged<T> {
  readonly value: T;
  readonly tag?: string;
}

export interface BacklogOptions extends CallOptions {
  /** Told the first iteration as soon as it is read, while the rest still comes; again when the request had to be repeated. */
  readonly onFirst?: (iteration: Iteration) => unknown;
}

export interface UploadOptions extends CallOptions {
  /** Told the bytes of the file sent so far, at most some times a second, and its size. */
  readonly onProgress?: (sent: number, total: number) => void;
}

export interface StoryQuery {
  /** The filter of `GET …/stories` (protocol.md, Story filter). Without one, done stories are included. */
  readonly filter?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/**
 * One server, spoken to as one user. Every call throws `TrackerError` only. Numbers in brackets are the endpoints of
 * api-v3.md; the others are those of protocol.md.
 */
export interface Tracker {
  listProjects(options?: CallOptions): Promise<readonly Project[]>;
  getProject(projectId: number, options?: CallOptions): Promise<Project>;
  createProject(project: NewProject, options?: CallOptions): Promise<Project>;

  /** The user's own, in all projects: who the user is. */
  listMyMemberships(options?: CallOptions): Promise<readonly Membership[]>;
  listMemberships(projectId: number, options?: CallOptions): Promise<readonly Membership[]>;
  addMembership(projectId: number, membership: NewMembership, options?: CallOptions): Promise<Membership>;
  removeMembership(projectId: number, membershipId: number, options?: CallOptions): Promise<Membership>;

  /** [1] The current iteration and all of the backlog, in order. */
  currentBacklog(projectId: number, options?: BacklogOptions): Promise<readonly Iteration[]>;
  /** `offset` is negative from the latest for `done`. */
  listIterations(
    projectId: number,
    group: IterationGroup | undefined,
    page: { readonly limit?: number; readonly offset?: number },
    options?: CallOptions,
  ): Promise<readonly Iteration[]>;

  listStories(projectId: number, query: StoryQuery, options?: CallOptions): Promise<readonly Story[]>;
  getStory(story: StoryRef, options?: CallOptions): Promise<Story>;
  getTaggedStory(story: StoryRef, options?: CallOptions): Promise<Tagged<Story>>;
  createStory(projectId: number, story: NewStory, options?: CallOptions): Promise<Story>;
  /** [4] when the edit holds a ticket. */
  updateStory(story: StoryRef, edit: StoryEdit, options?: CallOptions): Promise<Story>;
  /** The story as it was, where the server tells. */
  deleteStory(story: StoryRef, options?: CallOptions): Promise<Story | undefined>;
  /** Resolves with the story as it is there (protocol.md, Proven since). */
  moveToProject(story: StoryRef, targetProjectId: number, options?: CallOptions): Promise<Story>;
  deliverAllFinished(projectId: number, options?: CallOptions): Promise<readonly Story[]>;
  /** [3] */
  moveStory(story: StoryRef, place: MovePlace, targetId: number, options?: CallOptions): Promise<Story>;

  listNotes(story: StoryRef, options?: CallOptions): Promise<readonly Note[]>;
  addNote(story: StoryRef, text: string, options?: CallOptions): Promise<Note>;
  listTasks(story: StoryRef, options?: CallOptions): Promise<readonly Task[]>;
  getTaggedTask(story: StoryRef, taskId: number, options?: CallOptions): Promise<Tagged<Task>>;
  addTask(story: StoryRef, description: string, options?: CallOptions): Promise<Task>;
  updateTask(
    story: StoryRef,
    taskId: number,
    edit: { readonly description?: string; readonly complete?: boolean; readonly position?: number },
    options?: CallOptions,
  ): Promise<Task>;
  /** As `deleteStory`. */
  removeTask(story: StoryRef, taskId: number, options?: CallOptions): Promise<Task | undefined>;

  /** [5] Streams the file; memory does not grow with it. */
  uploadAttachment(story: StoryRef, source: UploadSource, options?: UploadOptions): Promise<Attachment>;
  /** The attachment with its temporary address, where the server gives one. */
  getAttachment(story: StoryRef, attachmentId: number, options?: CallOptions): Promise<Attachment>;

  /** [2], and the feed of one project when the query names one. Newest first. */
  listActivities(query: ActivityQuery, options?: CallOptions): Promise<readonly Activity[]>;

  /** [6] The notes made, where the server tells; none when the message names no story. */
  postSourceCommit(commit: SourceCommit, options?: CallOptions): Promise<readonly Note[]>;
  /** [7] For trying the commit hook of a hosted source-control service. */
  postHostedCommits(payload: string, options?: CallOptions): Promise<readonly Note[]>;

  /** The token of a user with name and password: HTTP Basic, over TLS or to this machine only. */
  activeToken(login: { readonly username: string; readonly password: string }, options?: CallOptions): Promise<string>;
}
