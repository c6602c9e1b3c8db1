import type { Story } from '../../core/story.ts';
import type { MovePlace } from '../../core/tracker.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../ground/errors.ts';
import { rankNextTo } from '../store/stories/places.ts';
import { type StoryChange, type StoryRow, storyRowsOf, updateStoryRow } from '../store/stories/storyRows.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { quoted, record } from './record.ts';
import { noStory } from './theStory.ts';

/**
 * Endpoint 3: puts a story directly before or after another of the project. Crossing between icebox and backlog schedules or
 * unschedules it. Nothing is recorded when it stands there already.
 */
export async function moveStory(change: Change, storyId: number, place: MovePlace, targetId: number): Promise<Story> {
  const { tx, project, now } = change;
  const rows = await storyRowsOf(tx, project.id, [storyId, targetId]);
  const [story, target] = [storyId, targetId].map((id) => rows.find((row) => row.id === id));
  if (!story) throw noStory(storyId);
  if (storyId === targetId) throw unprocessable('A story cannot be moved next to itself.');
  if (!target) throw unprocessable(`The target story ${targetId} is not in this project.`);
  const crossing = crossed(story, target);
  const list = { projectId: project.id, inIcebox: target.inIcebox };
  const rank = await rankNextTo(tx, list, storyId, place, target);
  if (rank === undefined) return wholeStory(tx, project, story);
  const row = await updateStoryRow(tx, storyId, { ...crossing, rank, updatedAt: now });
  const moved = await wholeStory(tx, project, row);
  const changed = { ...(crossing.state !== undefined && { state: moved.state }), rank };
  const text = `moved ${quoted(story.name)} ${place} ${quoted(target.name)}`;
  await record(change, 'story_update', text, [{ id: storyId, changed, cleared: [] }]);
  return moved;
}

function crossed(story: StoryRow, target: StoryRow): StoryChange & { readonly state?: string } {
  if (story.inIcebox === target.inIcebox) return {};
  if (target.inIcebox === 0) return { inIcebox: 0, state: 'unstarted' };
  if (story.state !== 'unstarted') {
    throw unprocessable(`Only an unstarted story can go to the icebox; this one is ${story.state}.`);
  }
  return { inIcebox: 1, state: 'unscheduled' };
}
