import type { Iteration } from '../story/iteration.ts';
import type { Project } from '../story/project.ts';
import type { Story } from '../story/story.ts';

/** What is known of one project's stories. */
export interface Backlog {
  readonly project: Project;
  /** The current iteration first, then those of the backlog. */
  readonly iterations: readonly Iteration[];
  readonly icebox: readonly Story[];
  /** Oldest first; only those that have been read. */
  readonly done: readonly Iteration[];
  /** There while only the current iteration is known: the rest is being read, or could not be, and then why. */
  readonly missing?: { readonly error?: unknown };
}

export function findStory(backlog: Backlog, storyId: number): Story | undefined {
  const lists = [...backlog.iterations, { stories: backlog.icebox }, ...backlog.done];
  for (const { stories } of lists) {
    const story = stories.find(({ id }) => id === storyId);
    if (story) return story;
  }
  return undefined;
}

const storiesById = new WeakMap<Backlog, ReadonlyMap<number, Story>>();

/** As `findStory`, for who asks for many: the stories are gone through once for each state of a backlog. */
export function storyById(backlog: Backlog, storyId: number): Story | undefined {
  const known = storiesById.get(backlog) ?? new Map(storiesOf(backlog).map((story) => [story.id, story]));
  storiesById.set(backlog, known);
  return known.get(storyId);
}

/** Every story: done, then current and backlog in priority order, then the icebox. */
export function storiesOf({ done, iterations, icebox }: Backlog): readonly Story[] {
  return [...[...done, ...iterations].flatMap(({ stories }) => stories), ...icebox];
}

/** The ids of the stories that can be moved, in priority order, the icebox last. */
export function orderOf({ iterations, icebox }: Backlog): readonly number[] {
  const ids: number[] = [];
  for (const { stories } of iterations) for (const { id } of stories) ids.push(id);
  for (const { id } of icebox) ids.push(id);
  return ids;
}

/** The backlog with this story in the place where it has an older one of the same id; unchanged when it has none. */
export function withStory(backlog: Backlog, story: Story): Backlog {
  return withStories(backlog, (stories) =>
    stories.some(({ id }) => id === story.id) ? stories.map((old) => (old.id === story.id ? story : old)) : stories,
  );
}

/** The backlog with each list of stories changed; lists and iterations that stay the same keep their identity. */
export function withStories(backlog: Backlog, change: (stories: readonly Story[]) => readonly Story[]): Backlog {
  const inIteration = (iteration: Iteration): Iteration => {
    const stories = change(iteration.stories);
    return stories === iteration.stories ? iteration : { ...iteration, stories };
  };
  return {
    ...backlog,
    done: backlog.done.map(inIteration),
    iterations: backlog.iterations.map(inIteration),
    icebox: change(backlog.icebox),
  };
}
