import { type Backlog, findStory, withStories } from '../backlog/backlog.ts';
import { allOf, itsStory, type RulesOfKind } from './rulesOfKind.ts';

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
