import type { IterationSlot, PlannedIteration, PlannedStory, PlanningRules } from './plannedIteration.ts';

/** The number in a velocity scheme such as `Average of 3 iterations` (protocol.md, Elements: project); 3 without one. */
export function averagedIterations(velocityScheme: string | undefined): number {
  return Math.max(1, Number(/\d{1,3}/.exec(velocityScheme ?? '')?.[0] ?? 3));
}

/** The velocity scheme that says so. */
export function velocityScheme(averaged: number): string {
  return `Average of ${averaged} iterations`;
}

/** What sums and products of shares such as 0.8 may be off by. */
const ROUNDING = 1e-9;

/**
 * Points a full team does in an iteration of the usual length: the average over the last done iterations with a team, each
 * counted by its length and team strength, rounded down and at least 1. The initial velocity, before anything was accepted in
 * one: it says nothing of a team that a start date lies behind it.
 */
export function velocityOf<S extends PlannedStory>(
  done: readonly PlannedIteration<S>[],
  { averagedIterations: count, initialVelocity }: Pick<PlanningRules, 'averagedIterations' | 'initialVelocity'>,
): number {
  const counted = lastWithTeam(done, Math.max(1, count));
  const shares = counted.reduce((sum, { share }) => sum + share, 0);
  const points = counted.reduce((sum, iteration) => sum + iteration.points, 0);
  const isMeasured = shares > 0 && done.some(({ stories }) => stories.length > 0);
  return wholePoints(isMeasured ? points / shares : initialVelocity);
}

/** So many of the last iterations, besides those in which nobody worked: a team that was away is no slower than before. */
function lastWithTeam<I extends Pick<IterationSlot, 'share'>>(done: readonly I[], count: number): readonly I[] {
  let missing = count;
  const earliest = done.findLastIndex(({ share }) => share > 0 && --missing === 0);
  return done.slice(Math.max(0, earliest));
}

function wholePoints(points: number): number {
  return Math.max(1, Math.floor(points + ROUNDING));
}

/** Points the team can do in this iteration: none without a team, else at least 1. */
export function capacityOf({ share }: Pick<IterationSlot, 'share'>, velocity: number): number {
  return share > 0 ? wholePoints(velocity * share) : 0;
}
