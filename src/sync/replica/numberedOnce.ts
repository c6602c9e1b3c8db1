import type { BacklogLists, PlacedIteration } from '../../core/replica/replica.ts';

/**
 * Every iteration once: of lists that were read one after the other, two may hold one that ended meanwhile, and what a server
 * counts is its own affair. The stories of the later one follow those of the first. The same lists where no number is there twice.
 */
export function numberedOnce(lists: BacklogLists): BacklogLists {
  const { iterations, icebox, done } = lists;
  const first = new Map<number, PlacedIteration>();
  for (const iteration of [...iterations, ...done]) {
    const known = first.get(iteration.number);
    const merged = known && { ...known, storyIds: [...known.storyIds, ...iteration.storyIds] };
    first.set(iteration.number, merged ?? iteration);
  }
  if (first.size === iterations.length + done.length) return lists;
  const taken = (from: readonly PlacedIteration[]) =>
    [...new Set(from.map(({ number }) => number))].flatMap((number) => {
      const iteration = first.get(number);
      first.delete(number);
      return iteration ?? [];
    });
  return { iterations: taken(iterations), icebox, done: taken(done) };
}
