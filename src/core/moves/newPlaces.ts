import type { Backlog } from '../backlog/backlog.ts';
import { isInProgress, isScheduled } from '../backlog/workflow.ts';
import type { Beside } from '../intents/intent.ts';
import type { StandingRun } from './formerPositions.ts';
import { areaOf, movableIn } from './movePlan.ts';

/** Where a new story is wanted: at an end of the backlog, in the icebox, in an iteration, or right behind another story. */
export type WantedPlace =
  | 'top'
  | 'bottom'
  | 'icebox'
  | { readonly iteration: number }
  | { readonly behind: { readonly id: number; readonly state: string } };

/** The state in which a new story is at a place, and next to which other one it is to be put. */
interface NewPlace {
  readonly state: 'unstarted' | 'unscheduled';
  /** Absent where servers put new stories: on top of the icebox, at the end of the backlog. */
  readonly beside?: Beside;
  /** Each further one comes to stand before those that were made for this place already. */
  readonly isBackwards: boolean;
}

/**
 * How a new story comes to the place. One behind a story that has none any more, since it is done, goes into the icebox. While
 * nothing is known of the backlog it goes where servers put new stories.
 */
export function placeOfNew(backlog: Backlog | undefined, place: WantedPlace): NewPlace {
  if (!backlog) return { state: stateAt(place), isBackwards: stateAt(place) === 'unscheduled' };
  if (place === 'bottom') return { state: 'unstarted', isBackwards: false };
  if (place === 'top') return beforeFirst(plannedIn(backlog, () => true));
  if (place === 'icebox') return onTopOfIcebox(backlog);
  // What has points and finds no room there stands first in the iteration after it.
  if ('iteration' in place) return beforeFirst(plannedIn(backlog, (number) => number > place.iteration));
  return behind(backlog, place.behind);
}

function stateAt(place: WantedPlace): NewPlace['state'] {
  const isFrozen =
    place === 'icebox' || (typeof place === 'object' && 'behind' in place && !isScheduled(place.behind.state));
  return isFrozen ? 'unscheduled' : 'unstarted';
}

function beforeFirst([first]: readonly number[]): NewPlace {
  const place = { state: 'unstarted', isBackwards: false } as const;
  return first === undefined ? place : { ...place, beside: { place: 'before', targetId: first } };
}

/** The stories that are planned into iterations of some numbers, in order; those in progress are listed elsewhere than they rank. */
function plannedIn({ iterations }: Backlog, isMeant: (number: number) => boolean): readonly number[] {
  const stories = iterations.flatMap((iteration) => (isMeant(iteration.number) ? iteration.stories : []));
  return stories.filter(({ id, state }) => id > 0 && state !== 'accepted' && !isInProgress(state)).map(({ id }) => id);
}

function onTopOfIcebox(backlog: Backlog): NewPlace {
  const [first] = movableIn(backlog, 'icebox');
  if (first === undefined) return { state: 'unscheduled', isBackwards: true };
  return { state: 'unscheduled', beside: { place: 'before', targetId: first }, isBackwards: false };
}

function behind(backlog: Backlog, { id, state }: { readonly id: number; readonly state: string }): NewPlace {
  const area = areaOf(backlog, id);
  if (!area || !movableIn(backlog, area).includes(id)) return onTopOfIcebox(backlog);
  const beside = { place: 'after', targetId: id } as const;
  return { state: isScheduled(state) ? 'unstarted' : 'unscheduled', beside, isBackwards: true };
}

/** A story that is to be made again, and next to which other one it stood. */
interface FormerPlace {
  readonly storyId: number;
  readonly beside?: Beside;
}

/** Where stories stood that are to be made again, in the order in which they are made to stand as they did. */
export function formerPlaces(backlog: Backlog, runs: readonly StandingRun[]): readonly FormerPlace[] {
  return runs.flatMap(({ area, storyIds, above, below }): readonly FormerPlace[] => {
    const order = movableIn(backlog, area);
    if (below !== undefined && order.includes(below)) {
      return storyIds.map((storyId) => ({ storyId, beside: { place: 'before', targetId: below } }));
    }
    const backwards = storyIds.toReversed();
    if (above !== undefined && order.includes(above)) {
      return backwards.map((storyId) => ({ storyId, beside: { place: 'after', targetId: above } }));
    }
    return (area === 'icebox' ? backwards : storyIds).map((storyId) => ({ storyId }));
  });
}

/** In which list a story is shown. */
export type ShownPlace =
  | { readonly list: 'icebox' | 'done' }
  | { readonly list: 'current' | 'backlog'; number: number };

/** `undefined` for one that is in none. */
export function shownPlace({ iterations, icebox, done }: Backlog, storyId: number): ShownPlace | undefined {
  const has = ({ stories }: { readonly stories: Backlog['icebox'] }) => stories.some(({ id }) => id === storyId);
  const at = iterations.findIndex(has);
  const found = iterations[at];
  if (found) return { list: at === 0 ? 'current' : 'backlog', number: found.number };
  if (has({ stories: icebox })) return { list: 'icebox' };
  return done.some(has) ? { list: 'done' } : undefined;
}
