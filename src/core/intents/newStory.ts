import { type Backlog, findStory } from '../backlog/backlog.ts';
import { outOfIcebox, withMove } from '../backlog/ordering.ts';
import { isScheduled } from '../backlog/workflow.ts';
import { pendingStory } from './editedStory.ts';
import type { Intent } from './intent.ts';
import { ORDER, placeOf, type RulesOfKind } from './rulesOfKind.ts';

export const newStoryRules: RulesOfKind<'newStory'> = {
  apply: (backlog, intent) => (findStory(backlog, intent.storyId) ? backlog : withNewStory(backlog, intent)),
  touches: ({ beside }) => ['new stories', ...(beside ? [ORDER, placeOf(beside.targetId)] : [])],
  undo: undefined,
  isRepeatable: false,
  showsPlace: false,
  /** A neighbour that is to be made too is so before it. */
  needsStories: () => [],
};

/** Where it is to stand, else on top of the icebox or at the end of the backlog, where our service puts it too. */
function withNewStory(backlog: Backlog, { storyId, story, beside, tasks = [] }: Intent<'newStory'>): Backlog {
  const pendingTasks = tasks.map((task, index) => ({ id: -1 - index, ...task }));
  const added = { ...pendingStory(storyId, story), tasks: pendingTasks };
  const inList = isScheduled(added.state)
    ? outOfIcebox(backlog, added)
    : { ...backlog, icebox: [added, ...backlog.icebox] };
  return beside ? withMove(inList, storyId, beside.place, beside.targetId) : inList;
}
