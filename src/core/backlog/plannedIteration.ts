/** What planning needs of a story. `acceptedAt` in milliseconds since the epoch. */
export interface PlannedStory {
  readonly id: number;
  readonly state: string;
  readonly estimate?: number | null | undefined;
  readonly acceptedAt?: number | null | undefined;
}

/** What laying out needs of a story that is not done. */
export type OpenStory = Omit<PlannedStory, 'acceptedAt'>;

/** An iteration that differs from the project's rule. */
export interface IterationOverride {
  /** 1 is a full team, 0 nobody. */
  readonly teamStrength?: number;
  /** Weeks. */
  readonly length?: number;
}

/** What planning needs of a project. Moments are milliseconds since the epoch. */
export interface PlanningRules {
  /** Weeks; 1 when it is no whole number from 1. */
  readonly iterationLength: number;
  /** English name, any case; Monday when it is none. */
  readonly weekStartDay: string;
  /** When the project started, where it was set; else the first acceptance counts (api-v3.md, Project). */
  readonly startAt?: number | undefined;
  /** How many done iterations the velocity is the average of. */
  readonly averagedIterations: number;
  /** Points in an iteration, before any is done. */
  readonly initialVelocity: number;
  /** The team itself says what the current iteration holds, by starting it: nothing unstarted is planned there. */
  readonly commitMode?: boolean | undefined;
  /** By iteration number. */
  readonly overrides?: ReadonlyMap<number, IterationOverride>;
}

/** A stretch of time; `number` counts from 1 and is the iteration's id too (protocol.md, Elements: iteration). */
export interface IterationSlot {
  readonly number: number;
  /** Midnight UTC of the week start day. */
  readonly start: number;
  /** When the next iteration starts. */
  readonly finish: number;
  /** 1 is a full team. */
  readonly teamStrength: number;
  /** Its length and strength against an iteration by the project's rule. */
  readonly share: number;
}

export interface PlannedIteration<S extends OpenStory> extends IterationSlot {
  /** Points of its stories. */
  readonly points: number;
  readonly stories: readonly S[];
}

/** The points that count: none for a story that is not estimated. */
export function pointsOf({ estimate }: Pick<OpenStory, 'estimate'>): number {
  return Math.max(0, estimate ?? 0);
}

export function plannedIteration<S extends OpenStory>(slot: IterationSlot, stories: readonly S[]): PlannedIteration<S> {
  return { ...slot, points: stories.reduce((sum, story) => sum + pointsOf(story), 0), stories };
}
