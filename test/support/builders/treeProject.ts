import type { Backlog } from '../../../src/core/backlog/backlog.ts';
import type { Iteration } from '../../../src/core/story/iteration.ts';
import type { Project } from '../../../src/core/story/project.ts';
import type { Story } from '../../../src/core/story/story.ts';

export function aProject(given: Partial<Project> = {}): Project {
  const lists = { pointScale: [0, 1, 2, 3], labels: [], memberships: [], integrations: [] };
  return { id: 7, name: 'Bakery', currentIterationNumber: 12, currentVelocity: 10, ...lists, ...given };
}

export function aStory(id: number, given: Partial<Story> = {}): Story {
  const lists = { labels: [], attachments: [], notes: [], tasks: [] };
  return { id, type: 'feature', state: 'unstarted', name: `Story ${id}`, estimate: 1, ...lists, ...given };
}

export function anIteration(number: number, stories: readonly (Story | number)[]): Iteration {
  return { id: number, number, stories: stories.map((story) => (typeof story === 'number' ? aStory(story) : story)) };
}

export function aBacklog(given: Partial<Backlog> = {}): Backlog {
  return {
    project: aProject(),
    done: [anIteration(10, [1]), anIteration(11, [2])],
    iterations: [anIteration(12, [3, 4]), anIteration(13, [5])],
    icebox: [aStory(6, { state: 'unscheduled' })],
    ...given,
  };
}
