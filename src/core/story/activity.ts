import type { ZonedDate } from '../calendar.ts';
import type { Story, Ticket } from './story.ts';

/** A story inside an activity: only what changed. A field in `cleared` came as an empty element. */
export interface ChangedStory {
  readonly id: number;
  /** The API address of the story, not the page (protocol.md, Elements: activity). */
  readonly url?: string;
  readonly changed: Partial<Story>;
  readonly cleared: readonly (keyof Story)[];
  /** What the story was linked to, where it no longer is: the elements of it that are gone are told as empty. Only written. */
  readonly formerTicket?: Ticket;
}

export interface Activity {
  readonly id: number;
  /** Order of events; per project or per server (protocol.md, Activity `version`). */
  readonly version: number;
  readonly eventType: string;
  readonly occurredAt?: ZonedDate;
  readonly author?: string;
  readonly projectId?: number;
  readonly description: string;
  readonly stories: readonly ChangedStory[];
}

export interface ActivityQuery {
  readonly projectId?: number;
  readonly newerThanVersion?: number;
  /** `YYYY/MM/DD`, inclusive. */
  readonly occurredSince?: string;
  /** 1 to 100; 10 when left out. */
  readonly limit?: number;
}
