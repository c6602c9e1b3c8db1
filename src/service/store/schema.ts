import type { Generated } from 'kysely';
import type { StoryTable } from './stories/storyTable.ts';

/**
 * The tables as queries see them. Portable on purpose: moments are milliseconds since the epoch, claims are 0 or 1,
 * nested values are JSON text, ids come from the database.
 */
export interface Schema {
  schemaVersions: { number: number; name: string; appliedAt: number };
  counters: { name: string; value: number };
  secrets: { name: string; value: string };
  /** See `rules.ts`. */
  rules: { name: string; value: string };
  /** Of the last hour, of what is counted by the hour. */
  recentUses: { userId: number; kind: 'project' | 'member' | 'invitation'; at: number };
  users: UserTable;
  tokens: TokenTable;
  invitations: InvitationTable;
  sessions: SessionTable;
  projects: ProjectTable;
  memberships: MembershipTable;
  integrations: IntegrationTable;
  iterationOverrides: { projectId: number; number: number; teamStrength: number; weeks: number | null };
  stories: StoryTable;
  labels: { id: Generated<number>; projectId: number; name: string };
  storyLabels: { storyId: number; labelId: number; projectId: number; position: number };
  notes: NoteTable;
  tasks: TaskTable;
  attachments: AttachmentTable;
  activities: ActivityTable;
  queues: QueueTable;
  jobs: JobTable;
  mailReplies: { projectId: number; storyId: number; userId: number; messageHash: string; receivedAt: number };
  sourceCommits: { projectId: number; storyId: number; commitId: string; noteId: number; receivedAt: number };
  /** `key` is a hash of a name or an address, so that nothing that was typed is kept. */
  signInFailures: { key: string; count: number; last: number };
  /** `source` says which project of which kind of file. */
  importedProjects: { projectId: number; source: string };
  importedStories: ImportedStoryTable;
  imports: ImportTable;
  stagedStories: StagedStoryTable;
}

interface UserTable {
  id: Generated<number>;
  name: string;
  email: string;
  initials: string;
  /** As `hashPassword` writes it; a user without one signs in by token only. */
  password: string | null;
  /** Whether the user is told by mail of stories assigned to them, in projects whose membership says so too. */
  assignedMail: Generated<number>;
  createdAt: number;
  /** When the password was set; null where there is none, or it was set before this was noted. */
  passwordSetAt: Generated<number | null>;
}

/** A link by which someone sets their password, once. */
interface InvitationTable {
  id: Generated<number>;
  userId: number;
  /** Null for the service alone. */
  projectId: number | null;
  /** Name of who invited; null for an administrator. */
  invitedBy: string | null;
  /** The owner who was given the link to pass it on; null when only the invited person or an administrator has it. */
  handedToId: number | null;
  /** As those of tokens. */
  hash: string;
  createdAt: number;
  expiresAt: number;
}

/** Someone is signed in to the pages of the service, in one browser. */
interface SessionTable {
  id: Generated<number>;
  userId: number;
  /** As those of tokens. */
  hash: string;
  /** Shortened. */
  userAgent: string;
  createdAt: number;
  lastUsedAt: number;
  expiresAt: number;
}

interface MembershipTable {
  id: Generated<number>;
  projectId: number;
  userId: number;
  role: string;
  /** See the one of the user. */
  assignedMail: Generated<number>;
}

interface TokenTable {
  id: Generated<number>;
  userId: number;
  /** SHA-256 in hex. The token itself is nowhere in the database. */
  hash: string;
  /** What the token was made for: `user`, `signIn`, `demo`, `embedded`. */
  purpose: string;
  createdAt: number;
  lastUsedAt: number | null;
  /** As whoever made it calls it. */
  name: string | null;
  scope: Generated<TokenScope>;
}

/** What a token allows: to read what its user may read, or to do all that they may. */
export type TokenScope = 'read' | 'write';

interface ProjectTable {
  id: Generated<number>;
  name: string;
  account: string;
  iterationLength: number;
  weekStartDay: string;
  pointScale: string;
  initialVelocity: number;
  averagedIterations: number;
  /** Midnight UTC of the explicit start date. */
  startDate: number | null;
  doneIterationsToShow: number;
  enableTasks: number;
  allowAttachments: number;
  isPublic: number;
  useHttps: number;
  bugsAndChoresAreEstimatable: number;
  commitMode: number;
  createdAt: number;
  lastActivityAt: number | null;
  /** Where activities are posted to; may hold secrets of the receiver. */
  webHookUrl: string | null;
  /** Another one after every change to anything in the project, and never one again that it had; answers are cached under it. */
  changes: number;
}

interface IntegrationTable {
  id: Generated<number>;
  projectId: number;
  type: string;
  name: string;
  fieldName: string;
  fieldLabel: string;
  /** Ticket addresses are this and the ticket's id; none when null. */
  ticketUrl: string | null;
  active: number;
}

interface NoteTable {
  id: Generated<number>;
  projectId: number;
  storyId: number;
  text: string;
  author: string;
  authorId: number | null;
  notedAt: number;
}

interface TaskTable {
  id: Generated<number>;
  projectId: number;
  storyId: number;
  description: string;
  /** 1-based. */
  position: number;
  complete: number;
  createdAt: number;
}

interface AttachmentTable {
  id: Generated<number>;
  projectId: number;
  storyId: number;
  /** As the uploader's file was called; never part of a path. */
  filename: string;
  description: string;
  size: number;
  /** Name of the file in the attachments folder. */
  storedAs: string;
  uploadedBy: string;
  uploaderId: number | null;
  uploadedAt: number;
}

interface ActivityTable {
  id: Generated<number>;
  version: number;
  projectId: number;
  eventType: string;
  occurredAt: number;
  author: string;
  authorId: number | null;
  description: string;
  /** JSON of the changed stories. */
  stories: string;
}

/** What is sent on its own after a change: the activity for a project's web hook, a message to one person. */
export type JobKind = 'web_hook' | 'mail';

/** One row for each queue in which jobs wait that are not parked. */
interface QueueTable {
  kind: JobKind;
  key: string;
  /** Not before then is the first of its jobs to be done. */
  dueAt: number;
  /** Who does that job now; nobody when null or when the lease has ended. */
  leaseOwner: string | null;
  leaseEnd: number;
  /** In a row. */
  failures: number;
  failingSince: number | null;
}

interface JobTable {
  id: Generated<number>;
  kind: JobKind;
  key: string;
  /** JSON. */
  payload: string;
  deliveryId: string;
  queuedAt: number;
  attempts: number;
  /** When it was parked, until someone retries it. */
  parkedAt: number | null;
  lastError: string | null;
}

interface ImportedStoryTable {
  projectId: number;
  /** The story's id where it came from. */
  externalId: string;
  /** Null when the story was deleted here, so that it is not brought again. */
  storyId: number | null;
  /** Of what the file said; equal ones mean that it says nothing new. */
  digest: string;
  /** Where it stood among the stories of the file. */
  place: number;
}

/** One row for each import that is under way, or whose process was killed; what it made so far nobody sees. */
interface ImportTable {
  id: number;
  userId: number | null;
  /** The project that is hidden until the import is done: the new one, or one that holds what an existing one is to get. */
  projectId: number | null;
  /** The process that imports, as `importOwner` writes it. */
  owner: string;
  startedAt: number;
  /** When it last made progress. */
  touchedAt: number;
  /** Of the file, from 0 to 1. */
  part: number;
  stories: number;
  /** JSON of the ids of users who were made for names in the file. */
  addedUsers: string;
}

/** The stories of a file in its order, while it is imported. */
interface StagedStoryTable {
  importId: number;
  place: number;
  externalId: string;
  /** Where it came in a file before, or was made by this import. */
  storyId: number | null;
  /** Its place in the file before; null of a new one. */
  before: number | null;
  inIcebox: number;
  /** Whether it was deleted here since it was imported. */
  isGone: number;
  /** JSON of what the file says of a story that is there and is to be changed with the last step. */
  payload: string | null;
}
