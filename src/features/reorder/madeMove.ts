import { type Backlog, findStory } from '../../core/backlog.ts';
import { withIntent } from '../../core/withIntent.ts';
import { type Area, areaOf, type MoveStep, movableIn, type PossibleMove, planInto } from './movePlan.ts';
import type { Spot } from './spot.ts';
import { intentsOf } from './stepIntents.ts';

/** Stories that stood one behind the other, and what they stood between; at an end of their area, nothing. */
export interface StandingRun {
  readonly area: Area;
  readonly storyIds: readonly number[];
  readonly above?: number;
  readonly below?: number;
}

/** A move as it was made: where its stories came to stand together, and where they stood before. */
export interface MadeMove {
  readonly now: StandingRun;
  readonly formerly: readonly StandingRun[];
}

/** Why a move cannot be taken back: one of its stories is not where it was put, or its former place is no more. */
export interface ChangedSince {
  readonly changed: 'story' | 'place';
  readonly storyId: number;
}

/** `undefined` when the stories do not stand together after it. */
export function madeMove(before: Backlog, after: Backlog, storyIds: readonly number[]): MadeMove | undefined {
  const [now, another] = runsOf(after, storyIds);
  if (!now || another || now.storyIds.length !== storyIds.length) return undefined;
  return { now, formerly: runsOf(before, storyIds) };
}

/** How to take a move back, which is only where all stands as it left it: nothing is guessed. */
export function planBack(backlog: Backlog, { now, formerly }: MadeMove): PossibleMove | ChangedSince {
  const strayed = strayedStory(backlog, now);
  if (strayed !== undefined) return { changed: 'story', storyId: strayed };
  const steps: MoveStep[] = [];
  let known = backlog;
  for (const run of formerly) {
    const [storyId = 0] = run.storyIds;
    if (!isPlaceThere(known, run, now.storyIds)) return { changed: 'place', storyId };
    const plan = planInto(known, run.area, run.storyIds, spotOf(run));
    if ('refusal' in plan) return { changed: 'story', storyId: plan.refusal.storyId };
    steps.push(...plan.steps);
    known = withSteps(known, plan.steps);
  }
  return { storyIds: now.storyIds, steps };
}

/** The backlog once these steps were taken. */
export function withSteps(backlog: Backlog, steps: readonly MoveStep[]): Backlog {
  return intentsOf(steps).reduce((known, intent) => withIntent(known, intent), backlog);
}

/** The stories of each area as they stand, cut where others stand between. */
function runsOf(backlog: Backlog, storyIds: readonly number[]): readonly StandingRun[] {
  const moved = new Set(storyIds);
  return (['scheduled', 'icebox'] as const).flatMap((area) => {
    const order = movableIn(backlog, area);
    const starts = order.flatMap((id, index) => (moved.has(id) && !moved.has(order[index - 1] ?? 0) ? [index] : []));
    return starts.map((start) => {
      const length = order.slice(start).findIndex((id) => !moved.has(id));
      const end = length < 0 ? order.length : start + length;
      return { area, storyIds: order.slice(start, end), ...between(order[start - 1], order[end]) };
    });
  });
}

function between(above: number | undefined, below: number | undefined) {
  return { ...(above !== undefined && { above }), ...(below !== undefined && { below }) };
}

/** A story that is not where the move put it: next to the others of the move, and they to one of two neighbours. */
function strayedStory(backlog: Backlog, { area, storyIds, above, below }: StandingRun): number | undefined {
  const gone = storyIds.find((id) => !findStory(backlog, id) || areaOf(backlog, id) !== area);
  if (gone !== undefined) return gone;
  const order = movableIn(backlog, area);
  const start = order.indexOf(storyIds[0] ?? 0);
  const stray = storyIds.find((id, index) => order[start + index] !== id);
  if (stray !== undefined) return stray;
  const stands = order[start - 1] === above || order[start + storyIds.length] === below;
  return stands ? undefined : storyIds[0];
}

/** Whether the stories between which they stood still stand side by side, but for those that were moved. */
function isPlaceThere(backlog: Backlog, { area, above, below }: StandingRun, moved: readonly number[]): boolean {
  const others = movableIn(backlog, area).filter((id) => !moved.includes(id));
  const at = above === undefined ? 0 : others.indexOf(above) + 1;
  if (above !== undefined && at === 0) return false;
  return others[at] === below;
}

function spotOf({ above, below }: StandingRun): Spot | undefined {
  if (above !== undefined) return { place: 'after', targetId: above };
  return below === undefined ? undefined : { place: 'before', targetId: below };
}
