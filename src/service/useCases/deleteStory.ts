import type { Story } from '../../core/story/story.ts';
import type { Change } from '../auth/projectAccess.ts';
import { storedNamesOfStory } from '../store/stories/attachments.ts';
import { forgetUnusedLabels } from '../store/stories/labels.ts';
import { deleteStoryRow } from '../store/stories/storyRows.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { quoted, record } from './recordActivity.ts';
import { changedStory } from './storyRules.ts';

interface DeletedStory {
  readonly story: Story;
  /** Stored names of its files, to be removed once the deletion is certain. */
  readonly files: readonly string[];
}

/** Removes a story with all that hangs on it; the activity stays. */
export async function deleteStory(change: Change, storyId: number): Promise<DeletedStory> {
  const { tx, project } = change;
  const row = await changedStory(change, storyId);
  const story = await wholeStory(tx, project, row);
  const files = await storedNamesOfStory(tx, storyId);
  await deleteStoryRow(tx, storyId);
  await forgetUnusedLabels(tx, project.id);
  await record(change, 'story_delete', `deleted ${quoted(story.name)}`, [{ id: storyId, changed: {}, cleared: [] }]);
  return { story, files };
}
