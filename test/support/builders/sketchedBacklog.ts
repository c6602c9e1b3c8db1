import type { Backlog } from '../../../src/core/backlog/backlog.ts';
import type { Story } from '../../../src/core/story/story.ts';
import { aBacklog, anIteration, aProject, aStory } from './builders.ts';

/** A story as `id` (unstarted) or `[id, state]`. */
type Sketch = number | readonly [id: number, state: string];

/** A backlog from iteration 12 on, after one that is done and holds story 1; stories of the icebox are unscheduled. */
export function sketchedBacklog(iterations: readonly (readonly Sketch[])[], icebox: readonly number[] = []): Backlog {
  return aBacklog({
    project: aProject({ currentIterationNumber: 12 }),
    iterations: iterations.map((stories, index) => anIteration({ number: 12 + index, stories: stories.map(storyOf) })),
    icebox: icebox.map((id) => aStory({ id, state: 'unscheduled' })),
    done: [anIteration({ number: 11, stories: [aStory({ id: 1, state: 'accepted' })] })],
  });
}

/** The ids of each iteration, then those of the icebox. */
export function idsOf({ iterations, icebox }: Backlog): readonly (readonly number[])[] {
  return [...iterations.map(({ stories }) => stories), icebox].map((stories) => stories.map(({ id }) => id));
}

function storyOf(sketch: Sketch): Story {
  return typeof sketch === 'number' ? aStory({ id: sketch }) : aStory({ id: sketch[0], state: sketch[1] });
}
