import { type Backlog, storiesOf } from './backlog.ts';
import type { Iteration } from './iteration.ts';
import type { BacklogChanges, BacklogLists, PlacedIteration } from './replica.ts';
import type { Story } from './story.ts';

/** The backlog after these changes. Stories, iterations and lists that stay as they are keep their identity. */
export function backlogWithChanges(before: Backlog | undefined, changes: BacklogChanges): Backlog {
  const base = changes.isWhole ? undefined : before;
  const stories = new Map((base ? storiesOf(base) : []).map((story) => [story.id, story]));
  for (const story of changes.stories) stories.set(story.id, story);
  const lists = changes.lists ?? listsOf(base);
  return {
    project: changes.project,
    iterations: lists.iterations.map((placed, index) => filled(placed, base?.iterations[index], stories)),
    icebox: storiesIn(lists.icebox, base?.icebox, stories),
    done: lists.done.map((placed) => filled(placed, base?.done.find(isNumber(placed.number)), stories)),
  };
}

/** Which story stands where. */
export function listsOf(backlog: Pick<Backlog, 'iterations' | 'icebox' | 'done'> | undefined): BacklogLists {
  const { iterations, icebox, done } = backlog ?? { iterations: [], icebox: [], done: [] };
  return { iterations: iterations.map(placed), icebox: icebox.map(({ id }) => id), done: done.map(placed) };
}

function placed({ stories, ...iteration }: Iteration): PlacedIteration {
  return { ...iteration, storyIds: stories.map(({ id }) => id) };
}

function isNumber(wanted: number) {
  return ({ number }: Iteration) => number === wanted;
}

function filled(
  { storyIds, ...iteration }: PlacedIteration,
  before: Iteration | undefined,
  all: ReadonlyMap<number, Story>,
): Iteration {
  const stories = storiesIn(storyIds, before?.stories, all);
  return before && stories === before.stories && sameIteration(before, iteration) ? before : { ...iteration, stories };
}

function storiesIn(
  ids: readonly number[],
  before: readonly Story[] | undefined,
  all: ReadonlyMap<number, Story>,
): readonly Story[] {
  const now = ids.flatMap((id) => all.get(id) ?? []);
  return before?.length === now.length && before.every((story, index) => story === now[index]) ? before : now;
}

function sameIteration(before: Iteration, now: Omit<Iteration, 'stories'>): boolean {
  return JSON.stringify({ ...before, stories: undefined }) === JSON.stringify({ ...now, stories: undefined });
}
