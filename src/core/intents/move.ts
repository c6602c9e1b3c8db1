import { findStory } from '../backlog/backlog.ts';
import { withMove } from '../backlog/ordering.ts';
import { ORDER, placeOf, type RulesOfKind } from './rulesOfKind.ts';

/** What a person moves back is moved by a history of its own, which knows where it stood. */
export const moveRules: RulesOfKind<'move'> = {
  apply: (backlog, { storyId, place, targetId }) =>
    findStory(backlog, storyId) ? withMove(backlog, storyId, place, targetId) : backlog,
  touches: ({ storyId, targetId }) => [ORDER, placeOf(storyId), placeOf(targetId)],
  undo: undefined,
  isRepeatable: true,
  showsPlace: false,
  needsStories: ({ storyId, targetId }) => [storyId, targetId],
};
