import type { ToldActivity } from '../../core/replica/replica.ts';
import { type ActivityRow, LooseActivityRow, StoryActivityRow } from './activityRow.ts';
import { activityId, threadsOf } from './threads.ts';

/** A row for each story that something happened to, and for what happened to none. */
export function rowsOf(told: readonly ToldActivity[]): readonly ActivityRow[] {
  return threadsOf(told).map((thread) => {
    const { id, storyId } = thread;
    return storyId === undefined
      ? new LooseActivityRow(id, thread.told[0])
      : new StoryActivityRow(id, storyId, thread.told);
  });
}

/** What happened to the story before, newest first. */
export function rowsBelow(row: StoryActivityRow): readonly StoryActivityRow[] {
  return row.before.map((told) => new StoryActivityRow(activityId(told), row.storyId, [told], row));
}
