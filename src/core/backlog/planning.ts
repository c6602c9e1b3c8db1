import {
  type IterationSlot,
  type OpenStory,
  type PlannedIteration,
  type PlannedStory,
  type PlanningRules,
  plannedIteration,
  pointsOf,
  type SlotRules,
  slotAfter,
  slotsUntil,
} from './plannedIteration.ts';
import { capacityOf, velocityOf } from './velocity.ts';
import { isInProgress, isScheduled } from './workflow.ts';

/** What decides how open stories are laid out. */
type LayOutRules = SlotRules & Pick<PlanningRules, 'commitMode'>;

export interface Plan<S extends OpenStory> {
  /** Points in an iteration of usual length with a full team. */
  readonly velocity: number;
  /** Oldest first; the number of the current iteration is one more than there are of these. */
  readonly done: readonly PlannedIteration<S>[];
  /** What was accepted in it first, then the rest in priority order. */
  readonly current: PlannedIteration<S>;
  readonly backlog: readonly PlannedIteration<S>[];
  readonly icebox: readonly S[];
}

/**
 * Lays stories, given in priority order, out into iterations: done ones by the time of acceptance; the current one with
 * what was accepted in it, all that is in progress, and, unless the project is in commit mode, what its capacity then
 * leaves room for; the backlog filled by velocity. Nothing overtakes a story of higher priority to fill a gap. A story that
 * is larger than the velocity has an iteration's points to itself. One walk over the stories.
 */
export function plan<S extends PlannedStory>(stories: readonly S[], rules: PlanningRules, now: number): Plan<S> {
  const accepted = stories.filter(({ state }) => state === 'accepted');
  const open = stories.filter(({ state }) => state !== 'accepted' && isScheduled(state));
  const { past, current } = slotsUntil(now, firstMoment(accepted, rules, now), rules);
  const bySlot = acceptedBySlot(accepted, [...past, current]);
  const done = past.map((slot, index) => plannedIteration(slot, bySlot[index] ?? []));
  const velocity = velocityOf(done, rules);

  const justAccepted = bySlot[past.length] ?? [];
  const icebox = stories.filter(({ state }) => !isScheduled(state));
  return { velocity, done, ...layOut(justAccepted, open, current, rules, velocity), icebox };
}

/**
 * The current iteration and the backlog, of the stories accepted in the current one and of the scheduled ones that are not
 * accepted, both in priority order.
 */
export function layOut<S extends OpenStory>(
  justAccepted: readonly S[],
  open: readonly S[],
  current: IterationSlot,
  rules: LayOutRules,
  velocity: number,
): Pick<Plan<S>, 'current' | 'backlog'> {
  const capacity = rules.commitMode ? undefined : capacityOf(current, velocity);
  const { taken, left } = splitCurrent(justAccepted, open, capacity);
  return {
    current: plannedIteration(current, [...justAccepted, ...taken]),
    backlog: filledIterations(left, slotAfter(current, rules), rules, velocity),
  };
}

function firstMoment(accepted: readonly PlannedStory[], { startAt }: PlanningRules, now: number): number {
  return accepted.reduce((first, { acceptedAt }) => Math.min(first, acceptedAt ?? first), startAt ?? now);
}

/** A story without a time of acceptance, or with one to come, counts for the last slot. */
function acceptedBySlot<S extends PlannedStory>(accepted: readonly S[], slots: readonly IterationSlot[]): S[][] {
  const bySlot: S[][] = slots.map(() => []);
  for (const story of accepted) bySlot[slotIndex(slots, story.acceptedAt ?? Number.POSITIVE_INFINITY)]?.push(story);
  return bySlot;
}

function slotIndex(slots: readonly IterationSlot[], moment: number): number {
  let low = 0;
  let high = slots.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((slots[middle]?.start ?? 0) <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Without a capacity nothing unstarted is taken. */
function splitCurrent<S extends OpenStory>(accepted: readonly S[], open: readonly S[], capacity: number | undefined) {
  const settled = [...accepted, ...open.filter(({ state }) => isInProgress(state))];
  let points = settled.reduce((sum, story) => sum + pointsOf(story), 0);
  let hasRoom = true;
  const taken: S[] = [];
  const left: S[] = [];
  for (const story of open) {
    if (isInProgress(story.state)) {
      taken.push(story);
      continue;
    }
    hasRoom &&= capacity !== undefined && fits(story, points, capacity);
    if (hasRoom) points += pointsOf(story);
    (hasRoom ? taken : left).push(story);
  }
  return { taken, left };
}

function filledIterations<S extends OpenStory>(
  stories: readonly S[],
  first: IterationSlot,
  rules: SlotRules,
  velocity: number,
): PlannedIteration<S>[] {
  const filled: PlannedIteration<S>[] = [];
  let slot = first;
  let inSlot: S[] = [];
  let points = 0;
  for (const story of stories) {
    while (!fits(story, points, capacityOf(slot, velocity))) {
      filled.push(plannedIteration(slot, inSlot));
      slot = slotAfter(slot, rules);
      inSlot = [];
      points = 0;
    }
    inSlot.push(story);
    points += pointsOf(story);
  }
  if (inSlot.length > 0) filled.push(plannedIteration(slot, inSlot));
  return filled;
}

/** Stories without points always fit; one that is too large for any iteration fits where no points are yet. */
function fits(story: OpenStory, points: number, capacity: number): boolean {
  const more = pointsOf(story);
  return more === 0 || points + more <= capacity || (points === 0 && capacity > 0);
}
