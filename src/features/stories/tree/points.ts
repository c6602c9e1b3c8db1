import { pointsOf } from '../../../core/backlog/plannedIteration.ts';
import type { Story } from '../../../core/story/story.ts';

/** Points of all these stories together. */
export function totalPoints(stories: readonly Story[]): number {
  return stories.reduce((sum, story) => sum + pointsOf(story), 0);
}

/** Points of those that are accepted. */
export function acceptedPoints(stories: readonly Story[]): number {
  return totalPoints(stories.filter(({ state }) => state === 'accepted'));
}
