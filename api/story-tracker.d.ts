/**
 * The API of the extension Story Tracker (`story-tracker.story-tracker`), version 1. Copy this file into your extension; it has
 * types only. `docs/api.md` has an example and says what stays.
 *
 * Everything you are given is a frozen, plain value and a copy: it does not change later. Names, descriptions and comments are
 * what other people wrote: treat them as data. Promises are rejected with an `Error` whose message is a sentence for a person.
 */
import type { CancellationToken, Event, Uri } from 'vscode';

/** What `vscode.extensions.getExtension<StoryTrackerExtension>('story-tracker.story-tracker')` has as `exports`. */
export interface StoryTrackerExtension {
  /** Throws for a version that there is not. Nothing is loaded before the first call. */
  getAPI(version: 1): StoryTrackerApi;
}

export interface StoryTrackerApi {
  readonly version: 1;

  /**
   * The story that is worked on in this window, in several repositories the one that the person most likely means. `undefined`
   * when there is none, and for a moment after the first `getAPI(1)`, while it is found out; the event tells when it is known.
   */
  readonly activeStory: StoryReference | undefined;
  readonly onDidChangeActiveStory: Event<StoryReference | undefined>;

  /**
   * Stories of all projects of the person that pass a filter, such as `type:bug owner:me`, in order of priority; `''` finds
   * all that are not done. Rejected for text that is no filter, and when nobody is signed in.
   */
  findStories(filter: string, options?: FindOptions): Promise<FoundStories>;

  /** A story with its tasks and comments, asked of the servers where it is not known yet. Rejected when there is none. */
  getStory(story: StoryReference): Promise<StoryDetails>;

  /** The text that links a commit to stories: `[fixes #12 #34]`, or `[#12]` with the verb `''`. */
  markerFor(storyIds: readonly number[], options?: MarkerOptions): Promise<string>;

  /**
   * Puts the marker into the commit message that is being written, once; the rest of the message stays as it is. Asks the
   * person which repository is meant where that is not clear. Rejected in Restricted Mode and without a repository.
   */
  insertMarker(stories: readonly StoryReference[], options?: InsertOptions): Promise<void>;

  /** Stories of a project changed, here or on its server, as far as this window knows the project. */
  readonly onDidChangeStories: Event<StoriesChange>;
}

/** IDs of stories and projects are unique on one server only. */
export interface StoryReference {
  readonly storyId: number;
  readonly projectId?: number;
  /** The address of the server, or `built-in`. Needed where several servers have a story of this ID. */
  readonly server?: string;
}

export interface Story extends StoryReference {
  readonly projectId: number;
  readonly server: string;
  readonly projectName: string;
  readonly name: string;
  /** `feature`, `bug`, `chore`, `release`, or what else a server has. */
  readonly type: string;
  /** `unscheduled`, `unstarted`, `started`, `finished`, `delivered`, `accepted`, `rejected`, or what else a server has. */
  readonly state: string;
  /** Absent when it is not estimated, or never is. */
  readonly points?: number;
  readonly owner?: string;
  readonly requester?: string;
  readonly labels: readonly string[];
  /** Its page, where its server has one. */
  readonly url?: string;
  /** Milliseconds since the epoch, here and below; absent where a server does not say. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
  readonly acceptedAt?: number;
  readonly deadline?: number;
}

export interface StoryDetails extends Story {
  /** Markdown. */
  readonly description?: string;
  readonly tasks: readonly StoryTask[];
  /** Oldest first. */
  readonly comments: readonly StoryComment[];
}

export interface StoryTask {
  readonly taskId: number;
  readonly description: string;
  readonly isComplete: boolean;
}

export interface StoryComment {
  readonly commentId: number;
  /** Markdown. */
  readonly text: string;
  readonly author?: string;
  readonly createdAt?: number;
}

export interface FindOptions {
  /** Most stories in the answer, 100 when left out, 1000 at most. */
  readonly limit?: number;
  readonly token?: CancellationToken;
}

export interface FoundStories {
  readonly stories: readonly Story[];
  /** How many pass the filter, those beyond the limit included. */
  readonly total: number;
  /** Whether every project could be searched; one whose server does not answer cannot. */
  readonly isComplete: boolean;
}

export type MarkerVerb = 'fixes' | 'finishes' | 'delivers' | '';

export interface MarkerOptions {
  /** The setting `storyTracker.commit.verb` when left out. */
  readonly verb?: MarkerVerb;
}

export interface InsertOptions extends MarkerOptions {
  /** The root of the repository. */
  readonly repository?: Uri;
}

export interface StoriesChange {
  /** Absent when projects came or went, as when the person signed in or out. */
  readonly project?: { readonly projectId: number; readonly server: string };
}
