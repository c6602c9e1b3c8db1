import type { MovePlace } from '../backlog/ordering.ts';
import type { NewStory, StoryEdit, StoryRef } from '../story/story.ts';
import type { SourceCommit } from '../story/storyAddress.ts';

/** Labels to put on a story and to take off it; all others stay, those that someone else put on in the meantime too. */
export interface LabelChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** Where a story goes: right before or after another of its project. */
export interface Beside {
  readonly place: MovePlace;
  readonly targetId: number;
}

/** A task that a story is to have from the beginning. */
export interface NewTask {
  readonly description: string;
  readonly complete: boolean;
}

/** What there is to say for each kind of intent, besides the story. */
interface IntentFields {
  /** `known` is what the person saw in these fields, absent where they were empty; with it a server is given nothing where someone else has written since. */
  readonly edit: { readonly edit: StoryEdit; readonly known?: StoryEdit };
  readonly move: Beside;
  readonly comment: { readonly text: string };
  /** Applied to the labels that the story has when this is sent; `known` were those when it was asked for. */
  readonly labels: { readonly change: LabelChange; readonly known: readonly string[] };
  readonly task: { readonly taskId: number; readonly complete: boolean };
  /** At the end where no 1-based `position` is given, and still to be done unless `complete`. */
  readonly newTask: { readonly description: string; readonly complete?: boolean; readonly position?: number };
  /** `known` as in an edit. */
  readonly editTask: { readonly taskId: number; readonly description: string; readonly known: string };
  /** `position` is 1-based. */
  readonly moveTask: { readonly taskId: number; readonly position: number };
  readonly deleteTask: { readonly taskId: number };
  /**
   * `storyId` is negative: what the story is called here until a server has given it a number. It goes to `beside` where that is
   * given and still there, else to the end of its list. `tasks` are added to it in their order.
   */
  readonly newStory: { readonly story: NewStory; readonly beside?: Beside; readonly tasks?: readonly NewTask[] };
  readonly deleteStory: unknown;
  /** With its number, comments, tasks and files, to the end of the same list there (protocol.md, Proven since). */
  readonly moveToProject: { readonly targetProjectId: number };
  /** A commit is posted once for all stories that its message names; they are of one account. */
  readonly link: { readonly stories: readonly StoryRef[]; readonly commit: SourceCommit };
}

export type IntentKind = keyof IntentFields;

/**
 * Something a person wants a server to do to one story, in values that can wait on disk until they are sent; of one kind
 * where that is given. How the kinds differ is in `intentRules.ts`.
 */
export type Intent<K extends IntentKind = IntentKind> = {
  [P in K]: { readonly kind: P; readonly storyId: number } & IntentFields[P];
}[K];

/** What is sent for an intent; what says who sends it, a token above all, is no part of it. */
export interface IntentRequest {
  readonly method: string;
  /** Below the server's address, with the query where there is one. */
  readonly path: string;
  /** XML, to the letter; absent where the request has none. */
  readonly body?: string;
}

/** Tells beforehand what would be sent. */
export interface IntentRequests {
  requestFor(projectId: number, intent: Intent): Promise<IntentRequest>;
}
