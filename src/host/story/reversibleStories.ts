import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../app.ts';
import { makeStories, type WantedStory } from './newStories.ts';
import { doReversibly, reversibleAgain } from './reversibleEntry.ts';
import { type ExistenceNeeds, StoryExistence, thereStory } from './storyExistence.ts';
import type { EntryMakers } from './undoHistory.ts';

type Needs = ExistenceNeeds & Pick<App, 'undoHistory'>;

export type CreatedStories = Awaited<ReturnType<typeof makeStories<WantedStory>>>;

/** Makes stories that one undo deletes again. @throws TrackerError in the server's words when it refuses all of them. */
export async function makeReversibly(
  needs: Needs,
  key: ProjectKey,
  wanted: readonly WantedStory[],
): Promise<CreatedStories> {
  const { removing, restoring } = new StoryExistence(needs, key);
  const making = makeStories(needs.backlogs, key, wanted);
  const deed = making.then(({ made, refused }) => ({
    ...(made.length > 0 ? { done: made.map(thereStory) } : { problem: refused[0]?.problem }),
  }));
  await doReversibly(needs.undoHistory, { key, storyIds: [] }, deed, { undo: removing, redo: restoring });
  return making;
}

/** Makes entries of an earlier window again. */
export function storyMakers(needs: ExistenceNeeds): Pick<EntryMakers, 'goneStories' | 'thereStories'> {
  return {
    thereStories: async (about, there) => {
      const { removing, restoring } = new StoryExistence(needs, about.key);
      return reversibleAgain(about, there, removing, restoring);
    },
    goneStories: async (about, gone) => {
      const { removing, restoring } = new StoryExistence(needs, about.key);
      return reversibleAgain(about, gone, restoring, removing);
    },
  };
}
