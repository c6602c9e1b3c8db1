import type { IterationSlot, PlannedIteration, PlannedStory, PlanningRules } from './plannedIteration.ts';

/** The number in a velocity scheme such as `Average of 3 iterations` (protocol.md, Elements: project); 3 without one. */
export function averagedIterations(velocityScheme: string | undefined): number {
  return Math.max(1, Number(/\d{1,3}/.exec(velocityScheme ?? '')?.[0] ?? 3));
}

/** The velocity scheme that says so. */
export function velocityScheme(averaged: number): string {
  return `Average of ${averaged} iterations`;
}

/**
 * Points a full team does in an iteration of the usual length: the average over the last done iterations, each counted by
 * its length and team strength, rounded down and at least 1. The initial velocity, before there is one to count.
 */
export function velocityOf<S extends PlannedStory>(
  done: readonly PlannedIteration<S>[],
  { averagedIterations: count, initialVelocity }: Pick<PlanningRules, 'averagedIterations' | 'initialVelocity'>,
): number {
  const counted = done.slice(-Math.max(1, count));
  const shares = counted.reduce((sum, { share }) => sum + share, 0);
  const points = counted.reduce((sum, iteration) => sum + iteration.points, 0);
  return Math.max(1, Math.floor(shares > 0 ? points / shares : initialVelocity));
}

/** Points the team can do in this iteration: none without a team, else at least 1. */
export function capacityOf({ share }: Pick<IterationSlot, 'share'>, velocity: number): number {
  return share > 0 ? Math.max(1, Math.floor(velocity * share)) : 0;
}
