import { type Backlog, findStory, withStory } from '../backlog/backlog.ts';
import type { Story } from '../story/story.ts';
import type { Intent, IntentKind } from './intent.ts';

/** What tells one kind of intent from the others, wherever that matters before it is sent. */
export interface RulesOfKind<K extends IntentKind> {
  /**
   * The backlog as it will look once a server has done it; the same where the story is not in it. Applied twice it is as
   * applied once. `place` is the entry's in the outbox, which tells its comment from an equal one.
   */
  apply(backlog: Backlog, intent: Intent<K>, place: number): Backlog;
  /** What its outcome depends on and changes: two intents that have one of these in common must not overtake each other. */
  touches(intent: Intent<K>): readonly string[];
  /** Absent for what cannot be taken back. */
  readonly undo: UndoOfKind<K> | undefined;
  /**
   * Whether it may be sent again when nobody knows what became of it. What would then be there twice, such as a comment, may
   * not: it is looked for on the server first. An edit or a move that is sent again is meant to win.
   */
  readonly isRepeatable: boolean;
  /** Whether its entry's place in the outbox shows in what it does to a backlog, as it does in the number of a new comment. */
  readonly showsPlace: boolean;
  /** The stories that a server must have before it can be sent. */
  needsStories(intent: Intent<K>): readonly number[];
}

interface UndoOfKind<K extends IntentKind> {
  /** What makes a story again what it is now, after the intent. */
  reverse(story: Story, intent: Intent<K>): Intent<K>;
  /** Whether a story is as the intent left it, so that taking it back undoes nobody else's work. */
  isAsLeft(story: Story, intent: Intent<K>): boolean;
}

/** Applies what changes nothing but the story itself. */
export function changingStory<K extends IntentKind>(
  change: (story: Story, intent: Intent<K>, place: number) => Story,
): RulesOfKind<K>['apply'] {
  return (backlog, intent, place) => {
    const story = findStory(backlog, intent.storyId);
    return story ? withStory(backlog, change(story, intent, place)) : backlog;
  };
}

/** What changes a story that is there needs that one. */
export const itsStory = ({ storyId }: Intent): readonly number[] => [storyId];

/** Everything that other intents may be about of a story. */
export const allOf = (storyId: number) => [fieldsOf, placeOf, notesOf, tasksOf].map((one) => one(storyId));

/** The order of a project's stories. */
export const ORDER = 'order';
/** In which list a story stands, and where. */
export const placeOf = (storyId: number) => `place ${storyId}`;
export const fieldsOf = (storyId: number) => `fields ${storyId}`;
export const notesOf = (storyId: number) => `notes ${storyId}`;
export const tasksOf = (storyId: number) => `tasks ${storyId}`;
