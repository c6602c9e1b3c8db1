import type { PlannedStory } from '../../core/backlog/plannedIteration.ts';
import { isScheduled } from '../../core/backlog/workflow.ts';
import type { BacklogLists, PlacedIteration } from '../../core/replica/replica.ts';
import type { Story } from '../../core/story/story.ts';

/** What laying out needs of a story, its rank included. */
export interface PlacedStory extends PlannedStory {
  readonly rank: string;
}

/** The stories of the open lists in priority order, the icebox last. */
export type Places = readonly PlacedStory[];

/** `undefined` where a server does not tell the ranks of its stories. */
export function placesOf(stories: readonly Story[]): Places | undefined {
  const placed = stories.flatMap((story) => placeOf(story) ?? []);
  return placed.length === stories.length ? placed.sort(byPlace) : undefined;
}

/** The places after these stories were read again and those are gone; `undefined` when one tells no rank. */
export function placesAfter(before: Places, stories: readonly Story[], gone: ReadonlySet<number>): Places | undefined {
  const read = placesOf(stories);
  if (!read) return undefined;
  const left = new Set([...gone, ...stories.map(({ id }) => id)]);
  const places = before.filter(({ id }) => !left.has(id));
  for (const place of read) places.splice(indexFor(places, place), 0, place);
  return places;
}

function placeOf({ id, state, estimate, acceptedAt, rank }: Story): PlacedStory | undefined {
  return rank === undefined ? undefined : { id, state, estimate, acceptedAt: acceptedAt?.time, rank };
}

function indexFor(places: Places, place: PlacedStory): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = places[middle];
    if (other && byPlace(other, place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function byPlace(one: PlacedStory, other: PlacedStory): number {
  const lists = Number(isScheduled(other.state)) - Number(isScheduled(one.state));
  return lists === 0 ? Number(one.rank > other.rank) - Number(one.rank < other.rank) : lists;
}

/** Column by column, which is short and quick to read. */
export function writePlaces(places: Places): string {
  return JSON.stringify([
    places.map(({ id }) => id),
    places.map(({ state }) => state),
    places.map(({ estimate }) => estimate ?? null),
    places.map(({ acceptedAt }) => acceptedAt ?? null),
    places.map(({ rank }) => rank),
  ]);
}

type Columns = readonly [
  ids: readonly number[],
  states: readonly string[],
  estimates: readonly (number | null)[],
  acceptedAt: readonly (number | null)[],
  ranks: readonly string[],
];

/** What `writePlaces` wrote. */
export function readPlaces(text: string): Places {
  const [ids, states, estimates, acceptedAt, ranks] = JSON.parse(text) as Columns;
  return ids.map((id, index) => ({
    id,
    state: states[index] ?? '',
    estimate: estimates[index],
    acceptedAt: acceptedAt[index],
    rank: ranks[index] ?? '',
  }));
}

/**
 * Every iteration once: of lists that were read one after the other, two may hold one that ended in the meantime, and what a server
 * counts is its own affair. The stories of the later one follow those of the first. The same lists where no number is there twice.
 */
function withoutDuplicates(lists: BacklogLists): BacklogLists {
  const { iterations, icebox, done } = lists;
  const first = new Map<number, PlacedIteration>();
  for (const iteration of [...iterations, ...done]) {
    const known = first.get(iteration.number);
    const merged = known && { ...known, storyIds: [...known.storyIds, ...iteration.storyIds] };
    first.set(iteration.number, merged ?? iteration);
  }
  if (first.size === iterations.length + done.length) return lists;
  const taken = (from: readonly PlacedIteration[]) =>
    [...new Set(from.map(({ number }) => number))].flatMap((number) => {
      const iteration = first.get(number);
      first.delete(number);
      return iteration ?? [];
    });
  return { iterations: taken(iterations), icebox, done: taken(done) };
}

/**
 * Every story where it is first: of lists that were read one after the other, two may hold a story that went from one
 * to the other in the meantime. The same lists where no story and no iteration is in two.
 */
export function withoutDuplicatePlaces(given: BacklogLists): BacklogLists {
  const lists = withoutDuplicates(given);
  const seen = new Set<number>();
  let isDoubled = false;
  const once = (ids: readonly number[]) => {
    const first = ids.filter((id) => !seen.has(id) && seen.add(id));
    isDoubled ||= first.length < ids.length;
    return first;
  };
  const placed = (iterations: readonly PlacedIteration[]) =>
    iterations.map((iteration) => ({ ...iteration, storyIds: once(iteration.storyIds) }));
  const [iterations, icebox, done] = [placed(lists.iterations), once(lists.icebox), placed(lists.done)];
  return isDoubled ? { iterations, icebox, done } : lists;
}
