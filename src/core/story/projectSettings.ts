import type { ZonedDate } from '../calendar.ts';
import type { Integration, Membership, NewProject, Project } from './project.ts';

/** An iteration whose team or length differs from what is usual in the project. */
export interface IterationStrength {
  readonly number: number;
  /** 1 is the full team, 0 no one. */
  readonly teamStrength: number;
  /** Weeks, where they are not as many as usual. */
  readonly length?: number;
}

/** A member, with what they have to do. */
export interface SettingsMember extends Membership {
  /** Stories of theirs that are not accepted yet. */
  readonly ownedStories: number;
}

/** A name on stories that nobody on the server is known by, as an import keeps it. */
export interface KeptName {
  readonly name: string;
  /** Stories that it requested or owns. */
  readonly stories: number;
}

/** An integration, with all that can be set of it. */
export interface SettingsIntegration extends Integration {
  /** Empty where there is none. */
  readonly baseUrl: string;
  /** Stories that are linked to a ticket of it. */
  readonly storyCount: number;
}

/** All that a project is set to, as its server tells the members (*ours*). */
export interface ProjectSettings
  extends Pick<
    Project,
    | 'id'
    | 'name'
    | 'account'
    | 'pointScale'
    | 'iterationLength'
    | 'weekStartDay'
    | 'startDate'
    | 'velocityScheme'
    | 'initialVelocity'
    | 'numberOfDoneIterationsToShow'
    | 'bugsAndChoresAreEstimatable'
    | 'enableTasks'
    | 'allowAttachments'
    | 'public'
    | 'useHttps'
    | 'commitMode'
  > {
  /** What the one who asks is in the project. */
  readonly role: string;
  /** Where the activity goes, empty for nowhere; only owners are told. */
  readonly webHookUrl?: string;
  /** Whether what is posted there is signed; only owners are told. */
  readonly isWebHookSigned?: boolean;
  /** In the order of their numbers. */
  readonly strengths: readonly IterationStrength[];
  readonly members: readonly SettingsMember[];
  /** Those on most stories first; only owners are told. */
  readonly keptNames: readonly KeptName[];
  readonly integrations: readonly SettingsIntegration[];
}

/** What is to become different in a project; all else stays. */
export interface ProjectEdit extends Partial<Omit<NewProject, 'noOwner' | 'startDate'>> {
  /** Null for the day of the first accepted story. */
  readonly startDate?: ZonedDate | null;
  /** Nothing is posted any more when empty. */
  readonly webHookUrl?: string;
  /** Nothing is signed any more when empty. */
  readonly webHookSecret?: string;
  /** Those of other iterations stay. One with the full team and the usual length is as usual again. */
  readonly strengths?: readonly IterationStrength[];
}

/** What is to become different in an integration. */
export interface IntegrationEdit {
  readonly name?: string;
  readonly fieldLabel?: string;
  readonly baseUrl?: string;
  /** One that is not active is retired: stories keep their tickets, and get no new ones. */
  readonly active?: boolean;
}

export interface NewIntegration extends IntegrationEdit {
  readonly name: string;
  /** `Other` when left out. */
  readonly type?: string;
  /** `other_id` when left out. */
  readonly fieldName?: string;
}

/** A story that would be in another iteration. */
export interface MovedStory {
  readonly id: number;
  readonly name: string;
  /** Numbers of iterations. */
  readonly from: number;
  readonly to: number;
}

/** What becomes of a project's plan by an edit that is not made yet. */
export interface PlanChange {
  readonly velocity: number;
  readonly formerVelocity: number;
  /** Stories in all that are not accepted and would be in an iteration that begins on another day. */
  readonly count: number;
  /** The first of them. */
  readonly stories: readonly MovedStory[];
  /** Stories that are not accepted whose estimates the scale would no longer have. */
  readonly offScaleCount: number;
}
