import type { Backlog } from '../../core/backlog/backlog.ts';
import type { Spot } from '../../core/moves/fewestMoves.ts';
import { type Area, movableIn } from '../../core/moves/movePlan.ts';
import type { Iteration } from '../../core/story/iteration.ts';

export type Direction = 'up' | 'down' | 'top' | 'bottom';

/**
 * Where stories of one area go when moved by keys: past their nearest neighbour above the first or below the last of
 * them, or to an end of the area. `undefined` when they are there.
 */
export function spotInDirection(
  backlog: Backlog,
  area: Area,
  storyIds: readonly number[],
  direction: Direction,
): Spot | undefined {
  const order = movableIn(backlog, area);
  const moved = new Set(storyIds);
  const upwards = direction === 'up' || direction === 'top';
  const ahead = upwards ? aheadOf(order, moved) : aheadOf(order.toReversed(), moved);
  const targetId = direction === 'up' || direction === 'down' ? ahead.at(-1) : ahead[0];
  return targetId === undefined ? undefined : { place: upwards ? 'before' : 'after', targetId };
}

/** What stands before the last of the moved ones and is not moved itself, cut off where nothing would change. */
function aheadOf(order: readonly number[], moved: ReadonlySet<number>): readonly number[] {
  const first = order.findIndex((id) => moved.has(id));
  const gathered = order.slice(first, first + moved.size).every((id) => moved.has(id));
  const others = order.slice(0, Math.max(0, first));
  if (others.length > 0 || gathered) return others;
  // The first is at the end already, others are not: they close up behind it.
  return order.filter((id) => !moved.has(id)).slice(0, 1);
}

/** The top of an iteration; `undefined` when no story of the backlog is left to be put next to. */
export function topOf(backlog: Backlog, iteration: Iteration, storyIds: readonly number[]): Spot | undefined {
  const movable = new Set(movableIn(backlog, 'scheduled').filter((id) => !storyIds.includes(id)));
  const index = Math.max(
    0,
    backlog.iterations.findIndex(({ number }) => number === iteration.number),
  );
  const idsOf = (iterations: readonly Iteration[]) =>
    iterations.flatMap(({ stories }) => stories.map(({ id }) => id)).filter((id) => movable.has(id));
  const below = idsOf(backlog.iterations.slice(index))[0];
  if (below !== undefined) return { place: 'before', targetId: below };
  const above = idsOf(backlog.iterations.slice(0, index)).at(-1);
  return above === undefined ? undefined : { place: 'after', targetId: above };
}
