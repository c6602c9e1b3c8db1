import { editedStory } from './editedStory.ts';
import type { NewStory, Story } from '../story/story.ts';

const BLANK = { type: 'feature', state: 'unscheduled', labels: [], attachments: [], notes: [], tasks: [] } as const;

/** A story as it is shown before a server has it. `storyId` is negative. */
export function pendingStory(storyId: number, story: NewStory): Story {
  return editedStory({ ...BLANK, id: storyId, name: story.name }, story);
}

/** A story that no server has yet has a negative id, which none gives. */
export function isPendingStory({ id }: Pick<Story, 'id'>): boolean {
  return id < 0;
}
