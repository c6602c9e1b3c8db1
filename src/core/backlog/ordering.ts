import type { Iteration } from '../story/iteration.ts';
import type { Story } from '../story/story.ts';
import { type Backlog, findStory, withStories } from './backlog.ts';
import { isInProgress } from './workflow.ts';

export type MovePlace = 'before' | 'after';

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

const without = (stories: readonly Story[], { id }: Story) => stories.filter((story) => story.id !== id);

/** The backlog with the story at the end of the icebox. */
export function intoIcebox(backlog: Backlog, story: Story): Backlog {
  const iterations = backlog.iterations.map((one) => ({ ...one, stories: without(one.stories, story) }));
  const done = backlog.done.map((one) => ({ ...one, stories: without(one.stories, story) }));
  return { ...backlog, done, iterations, icebox: [...without(backlog.icebox, story), story] };
}

/** Into the current iteration when work has begun, else into the last; with none there it shows once the project was read again. */
export function outOfIcebox(backlog: Backlog, story: Story): Backlog {
  const index = isInProgress(story.state) || story.state === 'accepted' ? 0 : backlog.iterations.length - 1;
  const home = backlog.iterations[index];
  if (!home) return backlog;
  const filled: Iteration = { ...home, stories: [...without(home.stories, story), story] };
  return {
    ...backlog,
    iterations: backlog.iterations.with(index, filled),
    icebox: without(backlog.icebox, story),
  };
}
