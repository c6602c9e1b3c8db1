import type { PlannedStory } from '../../core/backlog/plannedIteration.ts';
import { isScheduled } from '../../core/backlog/workflow.ts';
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
