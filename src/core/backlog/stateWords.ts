import { t } from '../translation.ts';
import type { StoryState, StoryType } from './workflow.ts';

const STATES: Readonly<Record<StoryState, () => string>> = {
  unscheduled: () => t('unscheduled'),
  unstarted: () => t('unstarted'),
  rejected: () => t('rejected'),
  started: () => t('started'),
  finished: () => t('finished'),
  delivered: () => t('delivered'),
  accepted: () => t('accepted'),
};

const TYPES: Readonly<Record<StoryType, () => string>> = {
  feature: () => t('feature'),
  bug: () => t('bug'),
  chore: () => t('chore'),
  release: () => t('release'),
};

const KNOWN_STATES: ReadonlyMap<string, () => string> = new Map(Object.entries(STATES));
const KNOWN_TYPES: ReadonlyMap<string, () => string> = new Map(Object.entries(TYPES));

/** What people call a state, as in "The story is started."; one that only the server knows, as it came. */
export function stateWord(state: string): string {
  return KNOWN_STATES.get(state)?.() ?? state;
}

/** What people call a type; likewise. */
export function typeWord(type: string): string {
  return KNOWN_TYPES.get(type)?.() ?? type;
}
