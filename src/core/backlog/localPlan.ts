import type { Iteration } from '../story/iteration.ts';
import type { Project } from '../story/project.ts';
import type { Story } from '../story/story.ts';
import type { Backlog } from './backlog.ts';
import {
  type IterationOverride,
  type OpenStory,
  type PlannedIteration,
  type SlotRules,
  slotAt,
} from './plannedIteration.ts';
import { layOut } from './planning.ts';

type Dated = Pick<Iteration, 'number' | 'start' | 'finish' | 'teamStrength'>;

const WEEK = 7 * 86_400_000;

/** Whether a server plans as `planning.ts` does: the iterations hold what that lays out into them, in its order. */
export function isPlannedAsHere(before: Backlog): boolean {
  const known = plannedHere(before);
  const isOurs = known?.every(({ number, stories }, index) => {
    const told = before.iterations[index];
    return told?.number === number && stories.every(({ id }, at) => told.stories[at]?.id === id);
  });
  const planned = known?.reduce((sum, { stories }) => sum + stories.length, 0);
  const told = before.iterations.reduce((sum, { stories }) => sum + stories.length, 0);
  return isOurs === true && planned === told;
}

/** The iterations of a backlog as `planning.ts` lays their stories out; `undefined` as for `localPlan`. */
export function plannedHere({ iterations, project }: Backlog): readonly PlannedIteration<Story>[] | undefined {
  return localPlan(
    iterations,
    project,
    iterations.flatMap(({ stories }) => stories),
  );
}

/**
 * The current iteration and the backlog as `planning.ts` lays stories out in priority order, with what a client knows: the
 * iterations that were read, the current one first. `undefined` where another is current, or dates or the velocity are not told.
 */
export function localPlan<S extends OpenStory>(
  known: readonly Dated[],
  project: Project,
  stories: readonly S[],
): readonly PlannedIteration<S>[] | undefined {
  const [current] = known;
  const { currentVelocity, currentIterationNumber, iterationLength, commitMode } = project;
  if (current?.start?.time === undefined || currentVelocity === undefined) return undefined;
  if (currentIterationNumber !== undefined && currentIterationNumber !== current.number) return undefined;
  const rules = { ...slotRulesOf(known, iterationLength), commitMode };
  const accepted: S[] = [];
  const open: S[] = [];
  for (const story of stories) (story.state === 'accepted' ? accepted : open).push(story);
  const plan = layOut(accepted, open, slotAt(current.number, current.start.time, rules), rules, currentVelocity);
  return [plan.current, ...plan.backlog];
}

/** What differs from the project's rule shows in the iterations that were read; a further one is as usual. */
function slotRulesOf(known: readonly Dated[], iterationLength = 1): SlotRules {
  const overrides = known.map((iteration) => [iteration.number, overrideOf(iteration)] as const);
  return { iterationLength, overrides: new Map(overrides) };
}

function overrideOf({ start, finish, teamStrength }: Dated): IterationOverride {
  const length = ((finish?.time ?? Number.NaN) - (start?.time ?? Number.NaN)) / WEEK;
  return { ...(teamStrength !== undefined && { teamStrength }), ...(Number.isInteger(length) && { length }) };
}

/** An iteration's number and what it holds. */
export interface NumberedStories {
  readonly number: number;
  readonly stories: readonly { readonly id: number }[];
}

/** Stories that came to lie in a later iteration than before. */
export interface Slip {
  readonly iteration: number;
  readonly storyIds: readonly number[];
}

/** The stories that a change pushed into later iterations, by iteration; those in `moved` were meant to go. */
export function slippedStories(
  before: readonly NumberedStories[],
  after: readonly NumberedStories[],
  moved: readonly number[] = [],
): readonly Slip[] {
  // Most iterations hold what they held: a story that is in none of the others was in none of them before.
  const listsBefore = new Map(before.map(({ number, stories }) => [number, stories] as const));
  const isSame = ({ number, stories }: NumberedStories) => isSameList(listsBefore.get(number), stories);
  const same = new Set(after.filter(isSame).map(({ number }) => number));
  const numberBefore = new Map<number, number>();
  for (const { number, stories } of before) {
    if (!same.has(number)) for (const { id } of stories) numberBefore.set(id, number);
  }
  const meant = new Set(moved);
  return after
    .filter(({ number }) => !same.has(number))
    .map(({ number, stories }) => ({
      iteration: number,
      storyIds: stories.map(({ id }) => id).filter((id) => !meant.has(id) && (numberBefore.get(id) ?? number) < number),
    }))
    .filter(({ storyIds }) => storyIds.length > 0);
}

function isSameList(before: NumberedStories['stories'] | undefined, after: NumberedStories['stories']): boolean {
  if (before === after) return true;
  return before?.length === after.length && after.every(({ id }, index) => before[index]?.id === id);
}

/** Those of some stories that lie in an iteration later than one, in their order there. */
export function beyondIteration(
  iterations: readonly NumberedStories[],
  storyIds: readonly number[],
  number: number,
): readonly number[] {
  const meant = new Set(storyIds);
  const later = iterations.filter((iteration) => iteration.number > number);
  return later.flatMap(({ stories }) => stories.map(({ id }) => id).filter((id) => meant.has(id)));
}

/** Those of some stories that lie in an iteration before one, with its number, in their order there. */
export function beforeIteration(
  iterations: readonly NumberedStories[],
  storyIds: readonly number[],
  number: number,
): readonly { readonly id: number; readonly iteration: number }[] {
  const meant = new Set(storyIds);
  return iterations
    .filter((one) => one.number < number)
    .flatMap(({ number: iteration, stories }) => stories.map(({ id }) => ({ id, iteration })))
    .filter(({ id }) => meant.has(id));
}
