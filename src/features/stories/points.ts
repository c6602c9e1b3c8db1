import { pointsOf } from '../../core/plannedIteration.ts';
import type { Story } from '../../core/story.ts';

/** Points of all these stories together. */
export function totalPoints(stories: readonly Story[]): number {
  return stories.reduce((sum, story) => sum + pointsOf(story), 0);
}
