import { type Backlog, findStory } from '../backlog/backlog.ts';
import { isScheduled } from '../backlog/workflow.ts';
import { pendingStory } from './editedStory.ts';
import { outOfIcebox } from './iceboxChange.ts';
import type { Intent } from './intent.ts';
import type { RulesOfKind } from './rulesOfKind.ts';

export const newStoryRules: RulesOfKind<'newStory'> = {
  apply: (backlog, intent) => (findStory(backlog, intent.storyId) ? backlog : withNewStory(backlog, intent)),
  touches: () => ['new stories'],
  undo: undefined,
  isRepeatable: false,
  showsPlace: false,
  needsStories: () => [],
};

/** On top of the icebox, else at the end of the backlog, where our service puts it too. */
function withNewStory(backlog: Backlog, { storyId, story }: Intent<'newStory'>): Backlog {
  const added = pendingStory(storyId, story);
  if (!isScheduled(added.state)) return { ...backlog, icebox: [added, ...backlog.icebox] };
  return outOfIcebox(backlog, added);
}
