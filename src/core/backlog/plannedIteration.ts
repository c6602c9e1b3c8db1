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

/** What decides how long iterations are and how much a team does in them. */
export type SlotRules = Pick<PlanningRules, 'iterationLength' | 'overrides'>;

const DAY = 86_400_000;
const WEEK = 7 * DAY;
const EPOCH_WEEKDAY = 4; // 1 January 1970 was a Thursday
const MONDAY = 1;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** The midnight UTC at or before `moment` that falls on the weekday. */
function weekStart(moment: number, weekday: string): number {
  const named = weekdays.indexOf(weekday.trim().toLowerCase());
  const wanted = named < 0 ? MONDAY : named;
  const day = Math.floor(moment / DAY);
  const since = (((day + EPOCH_WEEKDAY - wanted) % 7) + 7) % 7;
  return (day - since) * DAY;
}

/** Iteration `number`, starting at `start`, by the project's rule or its override. */
export function slotAt(number: number, start: number, rules: SlotRules): IterationSlot {
  const override = rules.overrides?.get(number);
  const usual = wholeWeeks(rules.iterationLength) ?? 1;
  const length = wholeWeeks(override?.length) ?? usual;
  const teamStrength = Math.max(0, override?.teamStrength ?? 1);
  return { number, start, finish: start + length * WEEK, teamStrength, share: (teamStrength * length) / usual };
}

export function slotAfter(slot: IterationSlot, rules: SlotRules): IterationSlot {
  return slotAt(slot.number + 1, slot.finish, rules);
}

/** The iterations before the one that holds `now`, oldest first, and that one. The first holds `first`, and is the current one until then. */
export function slotsUntil(
  now: number,
  first: number,
  rules: PlanningRules,
): { readonly past: readonly IterationSlot[]; readonly current: IterationSlot } {
  const past: IterationSlot[] = [];
  let current = slotAt(1, weekStart(first, rules.weekStartDay), rules);
  while (current.finish <= now) {
    past.push(current);
    current = slotAfter(current, rules);
  }
  return { past, current };
}

function wholeWeeks(length: number | undefined): number | undefined {
  return length !== undefined && Number.isInteger(length) && length >= 1 ? length : undefined;
}
