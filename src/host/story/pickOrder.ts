import { type ActiveStory, isSameStory } from '../../core/activeStory/storyBinding.ts';
import { isInProgress } from '../../core/backlog/workflow.ts';
import type { FoundStory } from '../tree/nodes.ts';

/** What a person most likely means where a story is to be picked. */
export interface PickOrder {
  /** Stories that are worked on, the most likely first. */
  readonly active?: readonly ActiveStory[];
  /** Ids of the rows that are selected in the tree. */
  readonly selected?: readonly number[];
  /** One's own name by account. */
  readonly ownNames?: Readonly<Record<string, string>>;
}

/**
 * The lower, the earlier in a list to pick from: what is worked on, what is selected, what one has begun oneself, what else is
 * one's own and open, what is in progress, the others, and last what is accepted.
 */
export function pickRank({ key, story }: FoundStory, { active = [], selected = [], ownNames = {} }: PickOrder): number {
  const worked = active.findIndex((one) => isSameStory(one, { ...key, storyId: story.id }));
  if (worked >= 0) return worked - active.length;
  if (selected.includes(story.id)) return 0;
  if (story.state === 'accepted') return 6;
  const isOwn = story.ownedBy !== undefined && story.ownedBy === ownNames[key.accountId];
  if (isInProgress(story.state)) return isOwn ? (story.state === 'started' ? 1 : 2) : 4;
  return isOwn ? 3 : 5;
}
