import { type Backlog, findStory, withStories } from '../backlog/backlog.ts';
import { outOfIcebox, withMove } from '../backlog/ordering.ts';
import { isScheduled } from '../backlog/workflow.ts';
import { pendingStory } from './editedStory.ts';
import type { Intent } from './intent.ts';
import { allOf, fieldsOf, itsStory, notesOf, ORDER, placeOf, type RulesOfKind } from './rulesOfKind.ts';

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

/** Of what takes a story from its backlog. What makes up for it takes more than the story as it is shown here. */
const goneRules = {
  apply: (backlog: Backlog, { storyId }: { readonly storyId: number }) => withoutStory(backlog, storyId),
  touches: ({ storyId }: { readonly storyId: number }) => allOf(storyId),
  undo: undefined,
  isRepeatable: true,
  showsPlace: false,
  needsStories: itsStory,
} as const;

export const deleteStoryRules: RulesOfKind<'deleteStory'> = goneRules;

/** The story shows in its new project once that was read again. */
export const moveToProjectRules: RulesOfKind<'moveToProject'> = goneRules;

function withoutStory(backlog: Backlog, storyId: number): Backlog {
  if (!findStory(backlog, storyId)) return backlog;
  return withStories(backlog, (stories) =>
    stories.some(({ id }) => id === storyId) ? stories.filter(({ id }) => id !== storyId) : stories,
  );
}

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

export const linkRules: RulesOfKind<'link'> = {
  /** A commit on its way is shown by where it stands in the outbox (`withUnsentIntents.ts`). */
  apply: (backlog) => backlog,
  /** Its marker may change the state of each, never the place in the order. */
  touches: ({ stories }) => stories.flatMap(({ storyId }) => [notesOf(storyId), fieldsOf(storyId)]),
  undo: undefined,
  isRepeatable: false,
  showsPlace: true,
  needsStories: ({ stories }) => stories.map(({ storyId }) => storyId),
};
