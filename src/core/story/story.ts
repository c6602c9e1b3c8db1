import type { ZonedDate } from '../calendar.ts';
import type { Attachment } from './attachment.ts';

/** What `estimate` holds when a story can be estimated and is not yet (protocol.md, Elements). */
export const UNESTIMATED = -1;

export interface Note {
  readonly id: number;
  readonly text: string;
  readonly author?: string;
  readonly notedAt?: ZonedDate;
}

export interface Task {
  readonly id: number;
  readonly description: string;
  /** 1-based place in the story's list. */
  readonly position?: number;
  readonly complete: boolean;
  readonly createdAt?: ZonedDate;
}

/** A linked ticket of an external issue system: the document's `<x>_id` and `<x>_url`, `prefix` being the x. */
export interface Ticket {
  readonly prefix: string;
  readonly externalId: string;
  readonly url?: string;
  readonly integrationId?: number;
}

/** A story. Types and states are text, since servers may use ones we do not know; see `workflow.ts`. */
export interface Story {
  readonly id: number;
  readonly projectId?: number;
  readonly type: string;
  readonly state: string;
  readonly name: string;
  readonly url?: string;
  /** Points; `UNESTIMATED`; absent when stories of this type are not estimated. */
  readonly estimate?: number;
  readonly description?: string;
  readonly requestedBy?: string;
  readonly ownedBy?: string;
  readonly createdAt?: ZonedDate;
  readonly updatedAt?: ZonedDate;
  readonly acceptedAt?: ZonedDate;
  readonly deadline?: ZonedDate;
  readonly labels: readonly string[];
  /** Sorts bytewise into priority order among the stories of its list: the icebox, or all others. Some servers tell it. */
  readonly rank?: string;
  readonly ticket?: Ticket;
  readonly attachments: readonly Attachment[];
  readonly notes: readonly Note[];
  readonly tasks: readonly Task[];
}

/** How many older ones of each a server has, which were too many to be kept. */
interface OlderParts {
  readonly attachments: number;
  readonly notes: number;
  readonly tasks: number;
}

/** A story of which only the newest parts are here; no server says so. */
export interface CutStory extends Story {
  readonly older: OlderParts;
}

export function olderPartsOf(story: Story | CutStory): OlderParts {
  return 'older' in story ? story.older : { attachments: 0, notes: 0, tasks: 0 };
}

/** The fields a person sets. In an edit `null` clears a field and an absent one stays as it is. */
export interface StoryFields {
  readonly type: string;
  readonly state: string;
  readonly name: string;
  readonly estimate: number | null;
  readonly description: string | null;
  readonly requestedBy: string;
  readonly ownedBy: string | null;
  readonly labels: readonly string[];
  readonly deadline: ZonedDate | null;
  /** Kept by imports; servers set it themselves otherwise. */
  readonly createdAt: ZonedDate;
  readonly acceptedAt: ZonedDate;
  readonly ticket: { readonly prefix?: string; readonly externalId: string; readonly integrationId?: number } | null;
}

export type StoryEdit = Partial<StoryFields>;
export type NewStory = StoryEdit & Pick<StoryFields, 'name'>;

/** Which story is meant, as commands and trees say it. */
export interface StoryRef {
  readonly projectId: number;
  readonly storyId: number;
}
