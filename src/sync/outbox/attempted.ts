import { kindOf, TrackerError } from '../../core/errors.ts';
import type { Intent, IntentKind, NewTask } from '../../core/intents/intent.ts';
import type { CallOptions, Tagged, Tracker } from '../../core/ports/tracker.ts';
import type { Note, Story, StoryRef, Task } from '../../core/story/story.ts';
import { CHANGED_SINCE_STATUS } from '../../v3/assumptions.ts';
import type { Before, OutboxRow } from './outboxRows.ts';

export interface RefusedTask extends NewTask {
  readonly refusal: unknown;
}

/** What a server made of an intent. */
export interface Done {
  readonly story?: Story;
  readonly note?: Note;
  readonly task?: Task;
  /** Tasks of a new story that the server refused, each by itself. */
  readonly refusedTasks?: readonly RefusedTask[];
  /** The id of a task that the story has no longer. */
  readonly deletedTask?: number;
  /** The comments that a commit made, as far as they are known. */
  readonly commitNoteIds?: readonly number[];
  /** The project has the story no longer. */
  readonly isGone?: boolean;
  /** The server had it before it was ever sent. */
  readonly isRepeated?: boolean;
}

export interface AttemptNeeds {
  readonly tracker: Tracker;
  /** Writes down that the entry is going out, with what was so before, and then runs `write`. */
  readonly send: <T>(write: () => Promise<T>, before?: Before) => Promise<T>;
  /** The story as this machine knows it. */
  readonly knownStory: (storyId: number) => Story | undefined;
  /** When the last that this machine knows of happened in the project, by the server's clock. */
  readonly lastActivityAt: () => number | undefined;
  /** Whether a server was seen to take a commit for all these stories after that time, in milliseconds since the epoch. */
  readonly isLinkedSince: (commitId: string, stories: readonly StoryRef[], at: number) => boolean;
  /** Whether other commits for the same stories were sent and never answered. */
  readonly areLinksInDoubt: () => boolean;
  /** Writes down the number that the server gave a new story, so that whoever goes on does not make it again. */
  readonly noteCreated: (storyId: number) => void;
  readonly options: CallOptions;
}

export type Attempt<K extends IntentKind> = (needs: AttemptNeeds, row: OutboxRow, intent: Intent<K>) => Promise<Done>;

export function isMissing(thrown: unknown): boolean {
  return kindOf(thrown) === 'notFound';
}

/** So often in a row others may be quicker before an entry makes room for those behind it. */
const TRIES = 5;

/**
 * Reads something and changes it on the condition that it is still so when the change arrives, as far as the server takes
 * conditions; again while others are quicker. What `change` makes of each state that was read says whether it is still wanted.
 * @throws TrackerError `busy` where others always were.
 */
export async function changedAsRead<T>(
  read: () => Promise<Tagged<T>>,
  change: (value: T, condition: Pick<CallOptions, 'ifMatch'>) => Promise<Done>,
): Promise<Done> {
  let refused: string | undefined;
  for (let tries = 1; ; tries += 1) {
    const { value, tag } = await read();
    // Something on the way rewrites the tags where one that was refused is told again.
    const condition = tag === undefined || tag === refused ? {} : { ifMatch: tag };
    try {
      return await change(value, condition);
    } catch (thrown) {
      if (!condition.ifMatch || !(thrown instanceof TrackerError) || thrown.status !== CHANGED_SINCE_STATUS)
        throw thrown;
      if (tries === TRIES) throw new TrackerError('busy', 'Others keep changing this. It will be tried again.');
      refused = condition.ifMatch;
    }
  }
}
