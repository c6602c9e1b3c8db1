import { localPlan } from '../../core/backlog/localPlan.ts';
import type { PlannedIteration } from '../../core/backlog/plannedIteration.ts';
import { isScheduled } from '../../core/backlog/workflow.ts';
import type { BacklogLists, PlacedIteration } from '../../core/replica/replica.ts';
import type { Project } from '../../core/story/project.ts';
import { zonedDate } from '../../v3/dates.ts';
import { orderDigest } from '../../v3/orderDigest.ts';
import type { PlacedStory, Places } from './places.ts';

export type OpenLists = Pick<BacklogLists, 'iterations' | 'icebox'>;

/**
 * Lays the open part of a backlog out again as the service does, without asking it, for the iterations that are known:
 * `undefined` when another one is current or their dates are not known. To be believed only when the server tells the same
 * digest: servers plan as they like.
 */
export function listsLaidOut(
  known: readonly PlacedIteration[],
  project: Project,
  places: Places,
): OpenLists | undefined {
  if (project.currentIterationNumber === undefined) return undefined;
  const scheduled = places.filter(({ state }) => isScheduled(state));
  const iterations = localPlan(known, project, scheduled);
  return (
    iterations && {
      iterations: iterations.map((planned, index) => placed(planned, known[index])),
      icebox: places.slice(scheduled.length).map(({ id }) => id),
    }
  );
}

/** The digest of lists as they were read or laid out. */
export function digestOf({ iterations, icebox }: OpenLists): string {
  const digested = iterations.map(({ number, start, finish, teamStrength, storyIds }) => ({
    ...{ number, start: start?.time, finish: finish?.time, teamStrength, storyIds },
  }));
  return orderDigest(digested, icebox);
}

function placed(planned: PlannedIteration<PlacedStory>, before: PlacedIteration | undefined): PlacedIteration {
  const { number, start, finish, teamStrength } = planned;
  const storyIds = planned.stories.map(({ id }) => id);
  if (before?.number === number && before.start?.time === start) return { ...before, storyIds };
  return { id: number, number, start: zonedDate(start), finish: zonedDate(finish), teamStrength, storyIds };
}
