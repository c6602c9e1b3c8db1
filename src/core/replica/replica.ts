import type { Activity } from '../story/activity.ts';
import type { Iteration } from '../story/iteration.ts';
import type { Project } from '../story/project.ts';
import type { ProjectKey } from '../story/projectKey.ts';
import type { Story, StoryRef } from '../story/story.ts';

/** Whose copies are meant: an account at an address, so that one that moved elsewhere never shows what it had before. */
export interface ReplicaAccount {
  readonly accountId: string;
  /** Origin and sub-path; for a service whose port changes, what stays the same about it. Never with a token. */
  readonly address: string;
}

export interface ReplicaProject extends ReplicaAccount {
  readonly projectId: number;
}

export interface KnownProjects {
  readonly projects: readonly Project[];
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/** An iteration with its stories by id, in order. */
export interface PlacedIteration extends Omit<Iteration, 'stories'> {
  readonly storyIds: readonly number[];
}

/** Which story stands where in a backlog. */
export interface BacklogLists {
  readonly iterations: readonly PlacedIteration[];
  readonly icebox: readonly number[];
  /** Oldest first; only those that have been read. */
  readonly done: readonly PlacedIteration[];
}

/** What became different in a backlog since a mark; everything when there was none, or one of another copy. */
export interface BacklogChanges {
  /** To be given back when asking for the changes after these. */
  readonly mark: string;
  /** `true` when these are all there is, not additions to what was told before. */
  readonly isWhole: boolean;
  /** When the server last confirmed the backlog, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly project: Project;
  /** Absent when no story changed its place. */
  readonly lists?: BacklogLists;
  readonly stories: readonly Story[];
}

export interface Since {
  /** Of the changes that were told last. */
  readonly mark?: string;
  /**
   * Takes the stories in portions, before the answer, which then has none: for lists too long to take in at once. The next
   * portion comes when what this returns has settled.
   */
  readonly onStories?: (stories: readonly Story[]) => unknown;
  /** Takes the lists likewise; those of each portion belong behind those of the portions before. */
  readonly onLists?: (portion: BacklogLists) => unknown;
}

/** What there is of a backlog while the rest of it is still coming in. */
export interface FirstIteration {
  readonly project: Project;
  /** The current one. */
  readonly iteration: Iteration;
}

export interface ReadOptions extends Since {
  /** Told the current iteration while the rest still comes, where that takes long; the answer has it again. */
  readonly onFirst?: (first: FirstIteration) => unknown;
}

/** What is kept on this machine of servers' projects. Asks no server, and forgets rather than fails. */
export interface Replica {
  /** `undefined` when the account's projects were never read. */
  projects(account: ReplicaAccount): Promise<KnownProjects | undefined>;
  /** `undefined` when the backlog was never read. */
  backlog(project: ReplicaProject, options: ReadOptions): Promise<BacklogChanges | undefined>;
  /** Takes over a story as a server has just answered it; one that is in none of the lists is left out. */
  put(project: ReplicaProject, story: Story): Promise<void>;
  /** Forgets all other accounts, for after someone signed out. */
  keepAccounts(accounts: readonly ReplicaAccount[]): Promise<void>;
}

export interface RefreshOptions extends Since {
  /**
   * Told the current iteration of a project that was never read, unless it is long, while the rest still comes; again when
   * something had to be asked again. The answer may then be an error all the same, and none of it be kept.
   */
  readonly onFirst?: (first: FirstIteration) => unknown;
  /** The project was read with the list of projects just before, so it is not asked for again. */
  readonly isListed?: boolean;
  /** A write was answered just before, so that a feed that tells of nothing is not believed. */
  readonly isWritten?: boolean;
  /** A person asked for it, so that the order is read even where no activity tells of a change: not every server does. */
  readonly isAskedFor?: boolean;
  /**
   * When someone began to wait for the answer, in milliseconds since the epoch; now when left out. However many requests it
   * takes, all of them together take no longer than one may.
   */
  readonly waitingSince?: number;
}

/** Brings the copies up to what the servers say. Throws `TrackerError` of the calls it makes. */
export interface Sync {
  readProjects(account: ReplicaAccount): Promise<KnownProjects>;
  /** Asks what happened since the last time and reads only that; everything where that cannot be told. */
  refresh(project: ReplicaProject, options: RefreshOptions): Promise<BacklogChanges>;
  /** Reads so many more done iterations, older than those that are there. */
  readMoreDone(project: ReplicaProject, count: number, since: Since): Promise<BacklogChanges>;
}

export interface LinkedCommit extends StoryRef {
  readonly account: ReplicaAccount;
  readonly hash: string;
  /** When its server was seen to take it, in milliseconds since the epoch. */
  readonly linkedAt: number;
}

/** Which commits servers have taken from this machine, from whatever window. */
export interface LinkedCommits {
  /** The latest last; long ago ones are forgotten. */
  linked(): Promise<readonly LinkedCommit[]>;
}

/** An activity as the replica keeps it. */
export interface ToldActivity {
  readonly project: ReplicaProject;
  readonly activity: Activity;
  /** Nobody has looked at it since it came, and it is another person's. */
  readonly isUnread: boolean;
  /** One's own, as far as it is known what one is called there. */
  readonly isOwn: boolean;
  /** What one is called there; absent while nobody knows. */
  readonly ownName?: string;
}

export interface ToldQuery {
  readonly accounts: readonly ReplicaAccount[];
  readonly limit: number;
  /** Only such as happened at or after this moment, in milliseconds since the epoch. */
  readonly since?: number;
  /** Only what is told of this story. */
  readonly story?: StoryRef;
  /** Nothing of these projects. */
  readonly without?: readonly ProjectKey[];
}

/** What happened in the projects, as far as the replica was told. Asks no server. */
export interface ActivityLog {
  /** Newest first. */
  told(query: ToldQuery): Promise<readonly ToldActivity[]>;
  /** How many are unread, but for those of some projects. */
  unread(accounts: readonly ReplicaAccount[], without?: readonly ProjectKey[]): Promise<number>;
  /** Everything told so far counts as looked at, in all windows. */
  markRead(accounts: readonly ReplicaAccount[]): Promise<void>;
  /** Activities that came since the last call in any window: each is given to one window once. Those of the first read of a project are not given. */
  claimFresh(accounts: readonly ReplicaAccount[]): Promise<readonly ToldActivity[]>;
  /** What one is called on the server; what one did oneself is never unread. `false` while nothing is known of the account. */
  setOwnName(account: ReplicaAccount, name: string): Promise<boolean>;
}
