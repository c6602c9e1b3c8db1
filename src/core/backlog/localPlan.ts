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
