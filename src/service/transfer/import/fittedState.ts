import { isStoryType, type StoryState, type StoryType, statesOf, storyTypes } from '../../../core/workflow.ts';
import type { Remarking } from './remarks.ts';

/** Words that other trackers, and later versions of the closed one, have for our states. */
const SYNONYMS: Readonly<Record<string, StoryState>> = {
  planned: 'unstarted',
  icebox: 'unscheduled',
  unstarted: 'unstarted',
  complete: 'finished',
  done: 'accepted',
};

/** In which a story is that cannot be in a state that the file says, most likely first. */
const NEAREST: Readonly<Record<StoryState, readonly StoryState[]>> = {
  unscheduled: ['unscheduled'],
  unstarted: ['unstarted'],
  rejected: ['rejected', 'started', 'unstarted'],
  started: ['started', 'unstarted'],
  finished: ['finished', 'started', 'unstarted'],
  delivered: ['delivered', 'started', 'unstarted'],
  accepted: ['accepted'],
};

/** The type as it is here; undefined for one that has no place here, which is remarked. */
export function fittedType(given: string, remark: Remarking): StoryType | undefined {
  if (isStoryType(given)) return given;
  remark('Type', given, `Stories here are of the types ${storyTypes.join(', ')}. The row was left out.`);
  return undefined;
}

/** The state that is nearest to what the file says for a story of this type. */
export function fittedState(type: StoryType, given: string, remark: Remarking): StoryState {
  const states = statesOf(type);
  const meant = SYNONYMS[given] ?? given;
  const fitting = stateNamed(meant)?.find((state) => states.includes(state)) ?? 'unscheduled';
  if (fitting !== given) remark('Current State', given, `It was taken for ${fitting}.`);
  return fitting;
}

function stateNamed(name: string): readonly StoryState[] | undefined {
  return Object.entries(NEAREST).find(([state]) => state === name)?.[1];
}
