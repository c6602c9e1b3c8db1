import type { Backlog } from '../backlog/backlog.ts';
import { isInProgress } from '../backlog/workflow.ts';
import type { Iteration } from '../story/iteration.ts';
import type { Story } from '../story/story.ts';

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
