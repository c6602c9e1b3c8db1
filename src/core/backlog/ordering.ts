import type { Story } from '../story/story.ts';
import { type Backlog, findStory, withStories } from './backlog.ts';

/** Where dragged stories land: dropped on a story above them before it, on one below them after it. */
export function dropPlace(order: readonly number[], dragged: readonly number[], targetId: number): MovePlace {
  const first = order.findIndex((id) => dragged.includes(id));
  return order.indexOf(targetId) < first ? 'before' : 'after';
}

/** The backlog with a story right before or after another; unchanged when either is not there. */
export function withMove(backlog: Backlog, storyId: number, place: MovePlace, targetId: number): Backlog {
  const story = findStory(backlog, storyId);
  if (!story || storyId === targetId || !findStory(backlog, targetId)) return backlog;
  return withStories(backlog, (stories) => placed(stories, story, place, targetId));
}

function placed(stories: readonly Story[], story: Story, place: MovePlace, targetId: number): readonly Story[] {
  const others = stories.some(({ id }) => id === story.id) ? stories.filter(({ id }) => id !== story.id) : stories;
  const index = others.findIndex(({ id }) => id === targetId);
  if (index < 0) return others;
  return others.toSpliced(place === 'before' ? index : index + 1, 0, story);
}

export type MovePlace = 'before' | 'after';
