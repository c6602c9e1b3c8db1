import type { Intent, NewTask } from '../../core/intents/intent.ts';
import type { StandingRun } from '../../core/moves/formerPositions.ts';
import type { MadeMove } from '../../core/moves/madeMove.ts';
import type { EntryProblem, Submission } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { NewStory, Story } from '../../core/story/story.ts';

// What entries of the undo history are made of: values that outlive the window. Nothing in them is secret.

/** One change that was made, and what takes it back. */
export interface MadeEdit {
  readonly intent: Intent;
  readonly back: Intent;
  /** What the outbox calls it where it had to wait. */
  readonly waitingEntries?: readonly string[];
}

/** A story that is there. */
export interface ThereStory {
  readonly storyId: number;
  /** As it was made: there for one that is to be deleted only while nobody has worked on it. */
  readonly made?: NewStory;
  /** Those that it was made with. */
  readonly tasks?: readonly NewTask[];
  /** The newest of the stories that were there before: this is a later one. */
  readonly newestOther?: number;
  /** What the outbox called it where it had to wait. */
  readonly entryId?: string;
}

/** Stories that were deleted: what they were, and where they stood. */
export interface GoneStories {
  readonly stories: readonly GoneStory[];
  readonly places: readonly StandingRun[];
}

export interface GoneStory {
  readonly story: Story;
  /** Why its deletion waits, and what that is called in the outbox. */
  readonly waiting?: EntryProblem;
  readonly waitingEntries?: readonly string[];
}

type Waiting = Partial<Pick<Submission, 'entryIds' | 'waiting'>>;

/** A task that is there, and how it waits to be so. Without an id it is the last of its description. */
export interface ThereTask extends Waiting {
  readonly taskId?: number;
  readonly description: string;
}

/** A task that is not there, what it was, which number it had, and how its deletion waits. `position` is 1-based. */
export interface GoneTask extends Waiting {
  readonly taskId?: number;
  readonly description: string;
  readonly complete?: boolean;
  readonly position?: number;
}

/** Stories on their way from one project to another or back, as they were and stood in the one. */
export interface CarriedStories {
  readonly stories: readonly Story[];
  readonly places: readonly StandingRun[];
  readonly waiting?: EntryProblem;
  /** What the outbox calls what waits, by the story that it is to move. */
  readonly waitingEntries?: readonly (readonly [storyId: number, entryIds: readonly string[]])[];
}

/** What each kind of entry is made of. One that is new does not compile without what reads it and what makes it again. */
export interface EntryValues {
  readonly move: {
    readonly made: MadeMove;
    /** Whether it makes up for no other. */
    readonly isNew: boolean;
    /** What became of it, where that was known. */
    readonly submission?: Pick<Submission, 'entryIds' | 'waiting' | 'isReplaced'>;
  };
  readonly edit: { readonly made: readonly MadeEdit[]; readonly formerly: readonly StandingRun[] };
  /** Stories that are deleted again. */
  readonly thereStories: readonly ThereStory[];
  /** Stories that are made again. */
  readonly goneStories: GoneStories;
  readonly thereTask: { readonly storyId: number; readonly task: ThereTask };
  readonly goneTask: { readonly storyId: number; readonly task: GoneTask };
  /** Stories that go back to the project of the entry, or once more to the other one. */
  readonly carriedStories: {
    readonly to: ProjectKey;
    readonly way: 'back' | 'there';
    readonly carried: CarriedStories;
  };
}

export type EntryKind = keyof EntryValues;

/** What an entry is made of, of one kind where that is given. */
export type EntryValue<K extends EntryKind = EntryKind> = {
  [P in K]: { readonly kind: P; readonly value: EntryValues[P] };
}[K];

/** Which stories an entry is about. */
export interface EntryAbout {
  readonly key: ProjectKey;
  readonly storyIds: readonly number[];
}

/** An entry as it is written down. */
export type StoredEntry<K extends EntryKind = EntryKind> = EntryAbout & EntryValue<K>;
