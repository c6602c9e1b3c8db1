import type { Backlog } from '../../../src/core/backlog/backlog.ts';
import type { Project } from '../../../src/core/story/project.ts';
import type { Story } from '../../../src/core/story/story.ts';

const project: Project = { id: 7, name: 'Bakery', pointScale: [], labels: [], memberships: [], integrations: [] };

function aStory(id: number, state: string): Story {
  return { id, state, type: 'feature', name: `Story ${id}`, labels: [], attachments: [], notes: [], tasks: [] };
}

/** Stories as `id` (unstarted) or `[id, state]`; those of the icebox are unscheduled. */
type Written = number | readonly [id: number, state: string];

export function aBacklog(iterations: readonly (readonly Written[])[], icebox: readonly number[] = []): Backlog {
  const storyOf = (one: Written) => (typeof one === 'number' ? aStory(one, 'unstarted') : aStory(...one));
  return {
    project,
    iterations: iterations.map((stories, index) => ({ id: index, number: 12 + index, stories: stories.map(storyOf) })),
    icebox: icebox.map((id) => aStory(id, 'unscheduled')),
    done: [{ id: 11, number: 11, stories: [aStory(1, 'accepted')] }],
  };
}

/** The ids of each iteration, then those of the icebox. */
export function idsOf({ iterations, icebox }: Backlog): readonly (readonly number[])[] {
  return [...iterations.map(({ stories }) => stories), icebox].map((stories) => stories.map(({ id }) => id));
}
