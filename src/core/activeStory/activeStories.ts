import type { StoryRef } from '../story/story.ts';

/** The story somebody works on in a repository, and where it is. */
export interface ActiveStory extends StoryRef {
  readonly accountId: string;
}

export function isSameStory(one: ActiveStory | undefined, other: ActiveStory | undefined): boolean {
  return one?.storyId === other?.storyId && one?.projectId === other?.projectId && one?.accountId === other?.accountId;
}

/** Which story is worked on in which repository; kept on this machine, for all windows. */
export interface ActiveStories {
  /** `repository` is the root's URI as text. */
  get(repository: string): Promise<ActiveStory | undefined>;
  /** `undefined` when nobody works on a story there any more. */
  set(repository: string, story: ActiveStory | undefined): Promise<void>;
}
