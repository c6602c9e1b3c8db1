import { type Backlog, findStory, withStory } from '../backlog/backlog.ts';
import type { Story } from '../story/story.ts';

/** A story as it is shown while something that was done to it waits in the outbox; no server says so. */
interface UnsentStory extends Story {
  readonly isUnsent: true;
}

/** The backlog with a story marked as one that waits for its server. */
export function withUnsent(backlog: Backlog, storyId: number): Backlog {
  const story = findStory(backlog, storyId);
  if (!story || isUnsent(story)) return backlog;
  const marked: UnsentStory = { ...story, isUnsent: true };
  return withStory(backlog, marked);
}

export function isUnsent(story: Story): story is UnsentStory {
  return 'isUnsent' in story;
}
