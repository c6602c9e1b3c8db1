import type { NumberedStories } from './slippedStories.ts';

/** Those of some stories that lie in an iteration later than one, in their order there. */
export function beyondIteration(
  iterations: readonly NumberedStories[],
  storyIds: readonly number[],
  number: number,
): readonly number[] {
  const meant = new Set(storyIds);
  const later = iterations.filter((iteration) => iteration.number > number);
  return later.flatMap(({ stories }) => stories.map(({ id }) => id).filter((id) => meant.has(id)));
}
