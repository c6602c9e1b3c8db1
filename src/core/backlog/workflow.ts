import type { MarkerEffect } from '../marker/markerSyntax.ts';
import type { Project } from '../story/project.ts';
import type { Story } from '../story/story.ts';

/** What of a project decides about states. */
export type WorkflowRules = Pick<Project, 'bugsAndChoresAreEstimatable'>;

/** What of a story decides about states. */
type WorkflowStory = Pick<Story, 'type' | 'state' | 'estimate'>;

export const storyTypes = ['feature', 'bug', 'chore', 'release'] as const;
export type StoryType = (typeof storyTypes)[number];

/** In the order in which a story runs through them; a rejected one starts again (protocol.md, States). */
export const storyStates = [
  'unscheduled',
  'unstarted',
  'rejected',
  'started',
  'finished',
  'delivered',
  'accepted',
] as const;
export type StoryState = (typeof storyStates)[number];
const stateOrder: readonly string[] = storyStates;

type ActionName = 'start' | 'finish' | 'deliver' | 'accept' | 'reject' | 'restart';

/** Something a person can do next with a story, and the state that makes. */
export interface StoryAction {
  readonly action: ActionName;
  readonly state: StoryState;
}

const statesByType: Readonly<Record<StoryType, readonly StoryState[]>> = {
  feature: storyStates,
  bug: storyStates,
  chore: ['unscheduled', 'unstarted', 'started', 'accepted'],
  release: ['unscheduled', 'unstarted', 'accepted'],
};

export function isStoryType(type: string): type is StoryType {
  return storyTypes.some((known) => known === type);
}

/** The states a story of this type can be in (protocol.md, States); none for a type we do not know. */
export function statesOf(type: string): readonly StoryState[] {
  return isStoryType(type) ? statesByType[type] : [];
}

/** Features always, releases never, bugs and chores when the project says so. */
export function isEstimatable(type: string, project: WorkflowRules): boolean {
  if (type === 'feature') return true;
  return (type === 'bug' || type === 'chore') && project.bugsAndChoresAreEstimatable === true;
}

export function isScheduled(state: string): boolean {
  return state !== 'unscheduled';
}

/** Started or anything that follows, acceptance and rejection included. */
export function isStarted(state: string): boolean {
  return state === 'accepted' || isInProgress(state);
}

/** Begun and not yet accepted: such stories always belong to the current iteration. */
export function isInProgress(state: string): boolean {
  return state === 'started' || state === 'finished' || state === 'delivered' || state === 'rejected';
}

/** Whether a story may not be in this state before someone estimates it (protocol.md, States: refused with 422). */
export function needsEstimate(
  type: string,
  state: string,
  estimate: number | null | undefined,
  project: WorkflowRules,
): boolean {
  return isStarted(state) && isEstimatable(type, project) && (estimate ?? -1) < 0;
}

/**
 * The points nearest to an estimate that a project takes for a story of this type; `undefined` where it takes none. An estimate may be
 * from a time when the project had another scale.
 */
export function fittingPoints(
  type: string,
  estimate: number,
  { pointScale, ...rules }: Pick<Project, 'bugsAndChoresAreEstimatable' | 'pointScale'>,
): number | undefined {
  if (!isEstimatable(type, rules)) return undefined;
  const away = (points: number) => Math.abs(points - estimate);
  return pointScale.toSorted((one, other) => away(one) - away(other))[0] ?? estimate;
}

const nextStates: Readonly<Record<string, readonly StoryAction[]>> = {
  unscheduled: [{ action: 'start', state: 'started' }],
  unstarted: [{ action: 'start', state: 'started' }],
  started: [{ action: 'finish', state: 'finished' }],
  finished: [{ action: 'deliver', state: 'delivered' }],
  delivered: [
    { action: 'accept', state: 'accepted' },
    { action: 'reject', state: 'rejected' },
  ],
  rejected: [{ action: 'restart', state: 'started' }],
};

const finishAtOnce: StoryAction = { action: 'finish', state: 'accepted' };
const shortWays: Readonly<Record<string, Readonly<Record<string, readonly StoryAction[]>>>> = {
  chore: { unscheduled: nextStates.unscheduled ?? [], unstarted: nextStates.unstarted ?? [], started: [finishAtOnce] },
  release: { unscheduled: [finishAtOnce], unstarted: [finishAtOnce] },
};

/** The sensible next steps, never the whole list; none for an unknown type or state, or while an estimate is missing. */
export function nextActions(story: WorkflowStory, project: WorkflowRules): readonly StoryAction[] {
  if (!isStoryType(story.type)) return [];
  const ways = shortWays[story.type] ?? nextStates;
  const actions = Object.hasOwn(ways, story.state) ? (ways[story.state] ?? []) : [];
  return actions.filter(({ state }) => !needsEstimate(story.type, state, story.estimate, project));
}

/**
 * The state of a story after a commit names it (protocol.md, Commit markers): never an earlier one than it has, and the
 * same one when the story cannot get there, for want of an estimate or because its type or state is not known.
 */
export function stateAfterCommit(story: WorkflowStory, effect: MarkerEffect, project: WorkflowRules): string {
  const wanted = laterState(story, stateFor(story, effect));
  return wanted === undefined || needsEstimate(story.type, wanted, story.estimate, project) ? story.state : wanted;
}

/**
 * The state that finishing gives a story, once it has the estimate that it may need; `undefined` where it has that state or a later one.
 * Whoever finishes a story whose state only its server knows means what they do.
 */
export function finishedState(story: Pick<WorkflowStory, 'type' | 'state'>): StoryState | undefined {
  const wanted = stateFor(story, 'finish');
  return wanted !== undefined && stateOrder.indexOf(story.state) < stateOrder.indexOf(wanted) ? wanted : undefined;
}

function laterState({ state }: WorkflowStory, wanted: StoryState | undefined): StoryState | undefined {
  const from = stateOrder.indexOf(state);
  return wanted !== undefined && from >= 0 && stateOrder.indexOf(wanted) > from ? wanted : undefined;
}

function stateFor(story: Pick<WorkflowStory, 'type' | 'state'>, effect: MarkerEffect): StoryState | undefined {
  const states = statesOf(story.type);
  if (effect === 'comment')
    return story.state === 'unstarted' ? states.find((state) => state === 'started') : undefined;
  const wanted = effect === 'finish' ? 'finished' : 'delivered';
  return states.find((state) => state === wanted) ?? states.find((state) => state === 'accepted');
}
