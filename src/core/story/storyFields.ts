import { MAX_LINE, MAX_TEXT } from '../limits.ts';
import type { Story, StoryFields } from './story.ts';

/** What must be known of every field of a story, whatever it holds. */
interface FieldFacts {
  /** Whether it decides the order of stories or in which iteration they are. */
  readonly isPlacing: boolean;
  /** Whether the activity of an edit tells of it. */
  readonly isTold: boolean;
}

/**
 * In the order in which activities tell of them. Comments, tasks and attachments have activities of their own; an edit cannot
 * change the id, and the time of the update is the activity's.
 */
export const STORY_FIELDS: Readonly<Record<keyof Story, FieldFacts>> = {
  id: { isPlacing: true, isTold: false },
  projectId: { isPlacing: true, isTold: false },
  url: { isPlacing: false, isTold: false },
  type: { isPlacing: true, isTold: true },
  state: { isPlacing: true, isTold: true },
  estimate: { isPlacing: true, isTold: true },
  name: { isPlacing: false, isTold: true },
  description: { isPlacing: false, isTold: true },
  requestedBy: { isPlacing: false, isTold: true },
  ownedBy: { isPlacing: false, isTold: true },
  createdAt: { isPlacing: true, isTold: true },
  updatedAt: { isPlacing: false, isTold: false },
  acceptedAt: { isPlacing: true, isTold: true },
  deadline: { isPlacing: false, isTold: true },
  labels: { isPlacing: false, isTold: true },
  rank: { isPlacing: true, isTold: true },
  ticket: { isPlacing: false, isTold: true },
  attachments: { isPlacing: false, isTold: false },
  notes: { isPlacing: false, isTold: false },
  tasks: { isPlacing: false, isTold: false },
};

/** Of fields that hold a text. Types and states are words that a service knows; a name is judged together with them. */
type FreeText = Exclude<TextField, 'type' | 'state' | 'name'>;
type TextField = { [K in keyof StoryFields]: string extends StoryFields[K] ? K : never }[keyof StoryFields];

interface TextLimit {
  /** What it is called where it is too long. */
  readonly what: string;
  /** Characters that it may have. */
  readonly longest: number;
}

/** The fields that hold what a person writes. */
export const TEXT_LIMITS: Readonly<Record<FreeText, TextLimit>> = {
  description: { what: 'The description of a story', longest: MAX_TEXT },
  requestedBy: { what: 'The name of a requester', longest: MAX_LINE },
  ownedBy: { what: 'The name of an owner', longest: MAX_LINE },
};
