import { type Backlog, findStory, withStory } from '../../core/backlog.ts';
import type { Iteration } from '../../core/iteration.ts';
import { withMove } from '../../core/ordering.ts';
import type { Story } from '../../core/story.ts';
import type { MoveStep } from './movePlan.ts';

/** The backlog as it will look once the steps have been taken. */
export function withSteps(backlog: Backlog, steps: readonly MoveStep[]): Backlog {
  return steps.reduce(withStep, backlog);
}

function withStep(backlog: Backlog, { storyId, state, spot }: MoveStep): Backlog {
  const story = findStory(backlog, storyId);
  if (!story) return backlog;
  const changed = state ? { ...story, state } : story;
  const inState = withStory(backlog, changed);
  if (spot) return withMove(inState, storyId, spot.place, spot.targetId);
  return state === 'unscheduled' ? intoIcebox(inState, changed) : intoBacklog(inState, changed);
}

const without = (stories: readonly Story[], { id }: Story) => stories.filter((story) => story.id !== id);

function intoIcebox(backlog: Backlog, story: Story): Backlog {
  const iterations = backlog.iterations.map((one) => ({ ...one, stories: without(one.stories, story) }));
  return { ...backlog, iterations, icebox: [...without(backlog.icebox, story), story] };
}

/** Into the last iteration; with none there the story shows once the project has been read again. */
function intoBacklog(backlog: Backlog, story: Story): Backlog {
  const last = backlog.iterations.at(-1);
  if (!last) return backlog;
  const filled: Iteration = { ...last, stories: [...without(last.stories, story), story] };
  return {
    ...backlog,
    iterations: [...backlog.iterations.slice(0, -1), filled],
    icebox: without(backlog.icebox, story),
  };
}
