import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../app.ts';
import { makeStories, type WantedStory } from './newStories.ts';
import { doReversibly } from './reversibleEntry.ts';
import { type ExistenceNeeds, StoryExistence, thereStory } from './storyExistence.ts';

type Needs = ExistenceNeeds & Pick<App, 'undoHistory'>;

export type CreatedStories = Awaited<ReturnType<typeof makeStories<WantedStory>>>;

/** Makes stories that one undo deletes again. @throws TrackerError in the server's words when it refuses all of them. */
export async function makeReversibly(
  needs: Needs,
  key: ProjectKey,
  wanted: readonly WantedStory[],
): Promise<CreatedStories> {
  const { remove, restore } = new StoryExistence(needs, key);
  const making = makeStories(needs.backlogs, key, wanted);
  const deed = making.then(({ made, refused }) => ({
    ...(made.length > 0 ? { done: made.map(thereStory) } : { problem: refused[0]?.problem }),
  }));
  await doReversibly(needs.undoHistory, { key, storyIds: [] }, deed, { undo: remove, redo: restore });
  return making;
}
