import type { ZonedDate } from '../calendar.ts';

export interface Membership {
  readonly id: number;
  readonly person: { readonly name: string; readonly email?: string; readonly initials?: string };
  /** `Owner`, `Member`, `Viewer`, or what a server calls it. */
  readonly role: string;
  readonly project?: { readonly id: number; readonly name: string };
  /** In the answer to adding someone who cannot sign in yet. */
  readonly invitation?: Invitation;
}

/** How someone sets a password who has none yet. */
export interface Invitation {
  /** To be passed on to them; absent where only they may have it, who got it by mail. */
  readonly url?: string;
  readonly expiresAt?: ZonedDate;
  readonly mailed?: boolean;
}

/** A link to an external issue system that a project has set up (protocol.md, Elements: integration). */
export interface Integration {
  readonly id: number;
  readonly type: string;
  readonly name: string;
  /** The story element that holds the ticket's id, for instance `jira_id`. */
  readonly fieldName: string;
  readonly fieldLabel?: string;
  readonly active: boolean;
  /** What the addresses of its tickets begin with, where that is told (*ours*): in settings and exports. */
  readonly baseUrl?: string;
}

export interface Project {
  readonly id: number;
  readonly name: string;
  /** Weeks, 1 to 4. */
  readonly iterationLength?: number;
  readonly weekStartDay?: string;
  /** Point values in rising order, for instance 0, 1, 2, 3. */
  readonly pointScale: readonly number[];
  readonly account?: string;
  readonly startDate?: ZonedDate;
  readonly firstIterationStartTime?: ZonedDate;
  readonly currentIterationNumber?: number;
  readonly enableTasks?: boolean;
  readonly velocityScheme?: string;
  /** Points in an iteration. */
  readonly currentVelocity?: number;
  readonly initialVelocity?: number;
  readonly numberOfDoneIterationsToShow?: number;
  readonly labels: readonly string[];
  readonly lastActivityAt?: ZonedDate;
  /** Differs whenever the order of the current iteration, the backlog or the icebox does. Some servers tell it. */
  readonly orderDigest?: string;
  readonly allowAttachments?: boolean;
  readonly public?: boolean;
  readonly useHttps?: boolean;
  readonly bugsAndChoresAreEstimatable?: boolean;
  readonly commitMode?: boolean;
  readonly memberships: readonly Membership[];
  readonly integrations: readonly Integration[];
}

export interface NewProject {
  readonly name: string;
  /** Creates the project without an owner (api-v3.md, Endpoints, rule 3). */
  readonly noOwner?: boolean;
  readonly iterationLength?: number;
  readonly weekStartDay?: string;
  readonly pointScale?: readonly number[];
  /** Name of the account that the project belongs to. */
  readonly account?: string;
  /** The day from which iterations are counted. */
  readonly startDate?: ZonedDate;
  readonly initialVelocity?: number;
  /** Says of how many done iterations the velocity is the average, for instance `Average of 3 iterations`. */
  readonly velocityScheme?: string;
  readonly numberOfDoneIterationsToShow?: number;
  readonly enableTasks?: boolean;
  readonly allowAttachments?: boolean;
  readonly useHttps?: boolean;
  readonly bugsAndChoresAreEstimatable?: boolean;
  readonly commitMode?: boolean;
}

export interface NewMembership {
  readonly role: string;
  readonly person: { readonly email: string; readonly name?: string; readonly initials?: string };
}
