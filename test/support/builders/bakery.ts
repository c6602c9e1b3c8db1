import type { Backlog } from '../../../src/core/backlog/backlog.ts';
import type { Iteration } from '../../../src/core/story/iteration.ts';
import type { Project } from '../../../src/core/story/project.ts';
import type { Story } from '../../../src/core/story/story.ts';
import { aBacklog, anIteration, aProject, aStory } from './builders.ts';

/** Project 7, in iteration 12. */
export function aBakery(fields: Partial<Project> = {}): Project {
  return aProject({ id: 7, name: 'Bakery', currentIterationNumber: 12, ...fields });
}

/** An iteration of these stories; those given by id are unstarted. */
export function iterationOf(number: number, stories: readonly (Story | number)[]): Iteration {
  return anIteration({ number, stories: stories.map((one) => (typeof one === 'number' ? aStory({ id: one }) : one)) });
}

/** The bakery with a story or two in each of two done iterations, the current one and the next, and one in the icebox. */
export function aBakeryBacklog(fields: Partial<Backlog> = {}): Backlog {
  return aBacklog({
    project: aBakery(),
    done: [iterationOf(10, [1]), iterationOf(11, [2])],
    iterations: [iterationOf(12, [3, 4]), iterationOf(13, [5])],
    icebox: [aStory({ id: 6, state: 'unscheduled' })],
    ...fields,
  });
}
