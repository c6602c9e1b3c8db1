import { slotRulesOf } from '../../core/backlog/plannedHere.ts';
import { type PlannedIteration, slotAt } from '../../core/backlog/plannedIteration.ts';
import { layOut } from '../../core/backlog/planning.ts';
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
export function localPlan(known: readonly PlacedIteration[], project: Project, places: Places): OpenLists | undefined {
  const [current] = known;
  const { currentVelocity } = project;
  if (current?.start?.time === undefined || currentVelocity === undefined) return undefined;
  if (project.currentIterationNumber !== current.number) return undefined;
  const rules = { ...slotRulesOf(known, project.iterationLength), commitMode: project.commitMode };
  const scheduled = places.filter(({ state }) => isScheduled(state));
  const accepted = scheduled.filter(isAccepted);
  const open = scheduled.filter((place) => !isAccepted(place));
  const plan = layOut(accepted, open, slotAt(current.number, current.start.time, rules), rules, currentVelocity);
  return {
    iterations: [plan.current, ...plan.backlog].map((planned, index) => placed(planned, known[index])),
    icebox: places.slice(scheduled.length).map(({ id }) => id),
  };
}

/** The digest of lists as they were read or laid out. */
export function digestOf({ iterations, icebox }: OpenLists): string {
  const digested = iterations.map(({ number, start, finish, teamStrength, storyIds }) => ({
    ...{ number, start: start?.time, finish: finish?.time, teamStrength, storyIds },
  }));
  return orderDigest(digested, icebox);
}

function isAccepted({ state }: PlacedStory): boolean {
  return state === 'accepted';
}

function placed(planned: PlannedIteration<PlacedStory>, before: PlacedIteration | undefined): PlacedIteration {
  const { number, start, finish, teamStrength } = planned;
  const storyIds = planned.stories.map(({ id }) => id);
  if (before?.number === number && before.start?.time === start) return { ...before, storyIds };
  return { id: number, number, start: zonedDate(start), finish: zonedDate(finish), teamStrength, storyIds };
}
