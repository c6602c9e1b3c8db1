import type { MovePlace } from '../backlog/ordering.ts';
import type { Activity, ActivityQuery } from '../story/activity.ts';
import type { Attachment, UploadSource } from '../story/attachment.ts';
import type {
  ExportFormat,
  ImportedId,
  ImportOptions,
  ImportProgress,
  ImportReport,
  RenumberedStory,
} from '../story/importReport.ts';
import type { Iteration, IterationGroup } from '../story/iteration.ts';
import type { Membership, NewMembership, NewProject, Project } from '../story/project.ts';
import type {
  IntegrationEdit,
  NewIntegration,
  PlanChange,
  ProjectEdit,
  ProjectSettings,
  SettingsIntegration,
} from '../story/projectSettings.ts';
import type { NewStory, Note, Story, StoryEdit, StoryRef, Task } from '../story/story.ts';
import type { SourceCommit } from '../story/storyAddress.ts';

/** A name on stories that is to be a member's. */
export interface GivenName {
  readonly name: string;
  /** Only the number of stories is wanted. */
  readonly isTrial?: boolean;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Asked right before a change is sent: the call is `cancelled` where it may not go any more. */
  readonly mayGo?: () => boolean;
  /**
   * A change is made only while what is changed still has this tag; else the call throws `conflict` with status 412. Not every
   * server knows of it.
   */
  readonly ifMatch?: string;
  /** Of a read: the milliseconds that others before it have taken of the time that it shares with them. */
  readonly waited?: number;
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
  /** All that the project is set to, where a server tells that; others throw `notFound`. */
  getProjectSettings(projectId: number, options?: CallOptions): Promise<Tagged<ProjectSettings>>;
  /** Changes what is said. What a server refuses names the fields of the edit. */
  updateProject(projectId: number, edit: ProjectEdit, options?: CallOptions): Promise<Tagged<ProjectSettings>>;
  /** What would become of the plan by the same edit, which is not made. */
  planAfterEdit(projectId: number, edit: ProjectEdit, options?: CallOptions): Promise<PlanChange>;

  /** The user's own, in all projects: who the user is. */
  listMyMemberships(options?: CallOptions): Promise<readonly Membership[]>;
  listMemberships(projectId: number, options?: CallOptions): Promise<readonly Membership[]>;
  addMembership(projectId: number, membership: NewMembership, options?: CallOptions): Promise<Membership>;
  /** Gives a member another role. */
  updateMembership(projectId: number, membershipId: number, role: string, options?: CallOptions): Promise<Membership>;
  /** Has what the project says of a kept name said of a member from then on, and gives how many stories say something of it. */
  giveNameTo(projectId: number, membershipId: number, wanted: GivenName, options?: CallOptions): Promise<number>;
  removeMembership(projectId: number, membershipId: number, options?: CallOptions): Promise<Membership>;
  /** Throws as `removeMembership` would, and changes nothing. Only for a server that has settings of projects: another one removes. */
  tryRemoveMembership(projectId: number, membershipId: number, options?: CallOptions): Promise<Membership>;

  addIntegration(projectId: number, integration: NewIntegration, options?: CallOptions): Promise<SettingsIntegration>;
  updateIntegration(
    projectId: number,
    integrationId: number,
    edit: IntegrationEdit,
    options?: CallOptions,
  ): Promise<SettingsIntegration>;
  /** Only one that no story has a ticket of. */
  removeIntegration(projectId: number, integrationId: number, options?: CallOptions): Promise<SettingsIntegration>;

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

  /** What came of it, or would; throws `notFound` where the server imports nothing. Streams the file; `cancelled` leaves nothing there. */
  importStories(path: string, wanted: ImportOptions, options?: UploadOptions): Promise<ImportReport>;
  /** How far an import of the user's is; `notFound` before its file has come and after it has ended. */
  importProgress(importId: number, options?: CallOptions): Promise<ImportProgress>;
  /** Which stories of a project came from these of a file. */
  importedIds(projectId: number, externalIds: readonly string[], options?: CallOptions): Promise<readonly ImportedId[]>;
  /** Those in the user's projects; a server without imports fails as for what it does not offer. */
  renumberedStories(options?: CallOptions): Promise<readonly RenumberedStory[]>;
  /** Writes the project to a file, which is there once it is whole, and gives its bytes. */
  exportProject(projectId: number, format: ExportFormat, path: string, options?: UploadOptions): Promise<number>;

  /** [2], and the feed of one project when the query names one. Newest first. */
  listActivities(query: ActivityQuery, options?: CallOptions): Promise<readonly Activity[]>;

  /** [6] The notes made, where the server tells; none when the message names no story. */
  postSourceCommit(commit: SourceCommit, options?: CallOptions): Promise<readonly Note[]>;
  /** [7] For trying the commit hook of a hosted source-control service. */
  postHostedCommits(payload: string, options?: CallOptions): Promise<readonly Note[]>;

  /** The token of a user with name and password: HTTP Basic, over TLS or to this machine only. */
  activeToken(login: { readonly username: string; readonly password: string }, options?: CallOptions): Promise<string>;
}
