import type { Backlog } from '../backlog/backlog.ts';
import { isInProgress } from '../backlog/workflow.ts';
import type { Intent } from '../intents/intent.ts';
import { withIntent } from '../intents/intentRules.ts';
import type { Iteration } from '../story/iteration.ts';
import type { Spot } from './fewestMoves.ts';
import { type Area, isMovable, movableIn, type PossibleMove } from './movePlan.ts';

/** Stories that stood one behind the other in a line, and what they stood between; at an end of the line, nothing. */
export interface StandingRun extends Pick<Line, 'kind' | 'area' | 'storyIds'> {
  readonly above?: number;
  readonly below?: number;
  /** What they stood next to in their iteration, of whatever line. */
  readonly beside?: Spot;
}

/** The stories as they stand in each line, cut where others stand between. */
export function formerPositions(backlog: Backlog, storyIds: readonly number[]): readonly StandingRun[] {
  const moved = new Set(storyIds);
  return linesOf(backlog).flatMap(({ kind, area, storyIds: line }) => {
    return runsIn(line, moved).map(([start, end]): StandingRun => {
      const ids = line.slice(start, end);
      return { kind, area, storyIds: ids, ...between(line[start - 1], line[end]), ...besideOf(backlog, ids, moved) };
    });
  });
}

/** The run where stories have other numbers by now. */
export function withNumbers(run: StandingRun, numberOf: (storyId: number) => number): StandingRun {
  const { storyIds, above, below, beside } = run;
  return {
    ...run,
    storyIds: storyIds.map(numberOf),
    ...(above !== undefined && { above: numberOf(above) }),
    ...(below !== undefined && { below: numberOf(below) }),
    ...(beside && { beside: { ...beside, targetId: numberOf(beside.targetId) } }),
  };
}

/** From where to where, the end not included, stories of the line are among these. */
function runsIn(line: readonly number[], moved: ReadonlySet<number>): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (let at = 0; at < line.length; at += 1) {
    if (!moved.has(line[at] ?? 0)) continue;
    const last = runs.at(-1);
    if (last?.[1] === at) last[1] = at + 1;
    else runs.push([at, at + 1]);
  }
  return runs;
}

function between(above: number | undefined, below: number | undefined) {
  return { ...(above !== undefined && { above }), ...(below !== undefined && { below }) };
}

function besideOf({ iterations, icebox }: Backlog, run: readonly number[], moved: ReadonlySet<number>) {
  const isOther = (id: number) => !moved.has(id);
  const neighbour = (id: number | undefined, isAbove: boolean) => {
    const holds = ({ stories }: Pick<Iteration, 'stories'>) => stories.some((story) => story.id === id);
    const stories = iterations.find(holds)?.stories ?? icebox;
    const list = stories.filter(isMovable).map((story) => story.id);
    const at = list.indexOf(id ?? 0);
    return isAbove ? list.slice(0, at).findLast(isOther) : list.slice(at + 1).find(isOther);
  };
  const [above, below] = [neighbour(run[0], true), neighbour(run.at(-1), false)];
  if (above !== undefined) return { beside: { place: 'after', targetId: above } as const };
  return below === undefined ? {} : { beside: { place: 'before', targetId: below } as const };
}

/** A story of the run that is not where it was: next to the others, and they to one of their two neighbours. */
export function strayedStory(backlog: Backlog, { kind, storyIds, above, below }: StandingRun): number | undefined {
  const line = lineNow(backlog, kind);
  const start = line.indexOf(storyIds[0] ?? 0);
  const stray = storyIds.find((id, index) => start < 0 || line[start + index] !== id);
  if (stray !== undefined) return stray;
  const stands = line[start - 1] === above || line[start + storyIds.length] === below;
  return stands ? undefined : storyIds[0];
}

/** Whether the stories between which the run stood still stand side by side, but for those that were `moved`. */
export function isPlaceThere(backlog: Backlog, { kind, above, below }: StandingRun, moved: readonly number[]): boolean {
  const line = lineNow(backlog, kind);
  let at = above === undefined ? 0 : line.indexOf(above) + 1;
  if (above !== undefined && at === 0) return false;
  while (moved.includes(line[at] ?? 0)) at += 1;
  return line[at] === below;
}

/** Where to put the run to have it stand as it did; `undefined` where nothing else stands. */
export function spotOfRun(backlog: Backlog, { area, above, below, beside }: StandingRun): Spot | undefined {
  if (beside && isBetween(backlog, area, beside.targetId, above, below)) return beside;
  if (above !== undefined) return { place: 'after', targetId: above };
  return below === undefined ? undefined : { place: 'before', targetId: below };
}

function isBetween(
  backlog: Backlog,
  area: Area,
  storyId: number,
  above: number | undefined,
  below: number | undefined,
): boolean {
  const order = movableIn(backlog, area);
  const at = order.indexOf(storyId);
  const isAfter = above === undefined || order.indexOf(above) <= at;
  return at >= 0 && isAfter && (below === undefined || at <= order.indexOf(below));
}

function lineNow(backlog: Backlog, kind: Line['kind']): readonly number[] {
  return linesOf(backlog).find((line) => line.kind === kind)?.storyIds ?? [];
}

/**
 * Stories whose priority among each other shows in the lists. One in progress is listed in the current iteration, before
 * stories of the backlog that may come before it, so that those are a line of their own.
 */
interface Line {
  readonly kind: 'open' | 'inProgress' | 'icebox';
  readonly area: Area;
  readonly storyIds: readonly number[];
}

/** Backlogs never change, and one is looked at many times in a move. */
const known = new WeakMap<Backlog, readonly Line[]>();

/** The stories that can be moved, in their lines; none that no server has yet. */
function linesOf(backlog: Backlog): readonly Line[] {
  const lines = known.get(backlog) ?? madeLines(backlog);
  known.set(backlog, lines);
  return lines;
}

/** `undefined` when the story cannot be moved, or is not there. */
function lineOf(backlog: Backlog, storyId: number): Line | undefined {
  return linesOf(backlog).find(({ storyIds }) => storyIds.includes(storyId));
}

function madeLines(backlog: Backlog): readonly Line[] {
  const open: number[] = [];
  const inProgress: number[] = [];
  for (const { stories } of backlog.iterations) {
    for (const story of stories) {
      if (isMovable(story)) (isInProgress(story.state) ? inProgress : open).push(story.id);
    }
  }
  return [
    { kind: 'open', area: 'scheduled', storyIds: open },
    { kind: 'inProgress', area: 'scheduled', storyIds: inProgress },
    { kind: 'icebox', area: 'icebox', storyIds: movableIn(backlog, 'icebox') },
  ];
}

/** What came out otherwise than it was shown: the moved stories stand elsewhere, or the one they were put next to does. */
type ConcurrentMove = { readonly moved: 'stories' | 'target'; readonly storyId: number };

/** What others did to an order while a move was on its way, as far as the lists tell it for sure. */
export function concurrentMove(
  shown: Backlog,
  now: Backlog,
  { storyIds, spot }: PossibleMove,
): ConcurrentMove | undefined {
  const [first] = storyIds;
  if (!spot || first === undefined) return undefined;
  const { place, targetId } = spot;
  const [expected, line] = [lineOf(shown, targetId), lineOf(now, targetId)];
  if (!line) return { moved: 'stories', storyId: first };
  if (!expected || line.kind !== expected.kind) return undefined;
  const beside = storyIds.filter((id) => expected.storyIds.includes(id));
  const block = place === 'before' ? [...beside, targetId] : [targetId, ...beside];
  const at = line.storyIds.indexOf(block[0] ?? 0);
  if (block.some((id, index) => at < 0 || line.storyIds[at + index] !== id)) {
    return { moved: 'stories', storyId: first };
  }
  const [before, after] = [expected, line].map((one) => neighbours(one, targetId, storyIds));
  const isElsewhere = before?.every((id, side) => id !== after?.[side]);
  return isElsewhere ? { moved: 'target', storyId: targetId } : undefined;
}

/** What stands before and after a story, but for those that were moved. */
function neighbours({ storyIds }: Line, storyId: number, moved: readonly number[]) {
  const at = storyIds.indexOf(storyId);
  const other = (step: -1 | 1) => {
    let index = at + step;
    while (moved.includes(storyIds[index] ?? 0)) index += step;
    return storyIds[index];
  };
  return [other(-1), other(1)];
}

/** How stories come to stand where they stood. */
interface RestoredPlaces {
  readonly moves: readonly Intent<'move'>[];
  /** Those that stay where they are, since others stand where they stood. */
  readonly lost: readonly number[];
}

/**
 * What puts those of the stories back that stood elsewhere, each run between the two stories between which it stood. Only of
 * those for whom `isCertain` is it known where they stand now: others are moved in any case.
 */
export function restoredPlaces(
  backlog: Backlog,
  formerly: readonly StandingRun[],
  storyIds: readonly number[],
  isCertain: (run: StandingRun) => boolean,
): RestoredPlaces {
  const moves: Intent<'move'>[] = [];
  const lost: number[] = [];
  let known = backlog;
  for (const former of formerly) {
    for (const run of runsOf(known, former, storyIds)) {
      const [first, ...others] = run.storyIds;
      if (first === undefined || (isCertain(run) && isInPlace(known, run))) continue;
      if (!isPlaceThere(known, run, storyIds)) {
        lost.push(...run.storyIds);
        continue;
      }
      const spot = spotOfRun(known, run);
      const steps = [
        ...(spot ? [{ kind: 'move', storyId: first, ...spot } as const] : []),
        ...others.map((storyId, index) => {
          const targetId = run.storyIds[index] ?? first;
          return { kind: 'move', storyId, place: 'after', targetId } as const;
        }),
      ];
      moves.push(...steps);
      known = steps.reduce((before, move) => withIntent(before, move), known);
    }
  }
  return { moves, lost };
}

/**
 * The run of those of its stories that are put back. Where that is no place any more, since others of them have stayed or are back
 * already, the runs between these.
 */
function runsOf(backlog: Backlog, former: StandingRun, storyIds: readonly number[]): readonly StandingRun[] {
  const whole = { ...former, storyIds: former.storyIds.filter((id) => storyIds.includes(id)) };
  if (whole.storyIds.length === former.storyIds.length || isPlaceThere(backlog, whole, storyIds)) return [whole];
  const { kind, area, above, below } = former;
  const line = lineNow(backlog, kind);
  const standing = former.storyIds.filter((id) => storyIds.includes(id) || line.includes(id));
  return runsIn(standing, new Set(storyIds)).map(([start, end]) => ({
    ...{ kind, area, storyIds: standing.slice(start, end) },
    ...between(standing[start - 1] ?? above, standing[end] ?? below),
  }));
}

function isInPlace(backlog: Backlog, { kind, storyIds, above, below }: StandingRun): boolean {
  const [now, another] = formerPositions(backlog, storyIds);
  if (!now || another || now.kind !== kind || now.above !== above || now.below !== below) return false;
  return now.storyIds.every((id, index) => id === storyIds[index]);
}
