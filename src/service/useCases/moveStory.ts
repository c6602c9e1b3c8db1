import type { MovePlace } from '../../core/tracker.ts';
import type { Change } from '../auth/projectAccess.ts';
import { unprocessable } from '../refusal.ts';
import { rankNextTo } from '../store/places.ts';
import { type StoryChange, type StoryRow, storyRow, updateStoryRow } from '../store/storyRows.ts';
import { quoted, record } from './record.ts';
import { changedStory } from './theStory.ts';

/**
 * Endpoint 3: puts a story directly before or after another of the project. Crossing between icebox and backlog schedules or
 * unschedules it. Nothing is recorded when it stands there already.
 */
export async function moveStory(
  change: Change,
  storyId: number,
  place: MovePlace,
  targetId: number,
): Promise<StoryRow> {
  const { tx, project, now } = change;
  const story = await changedStory(change, storyId);
  if (storyId === targetId) throw unprocessable('A story cannot be moved next to itself.');
  const target = await storyRow(tx, project.id, targetId);
  if (!target) throw unprocessable(`The target story ${targetId} is not in this project.`);
  const crossing = crossed(story, target);
  const list = { projectId: project.id, inIcebox: target.inIcebox };
  const rank = await rankNextTo(tx, list, storyId, place, targetId);
  if (rank === undefined) return story;
  const moved = await updateStoryRow(tx, storyId, { ...crossing, rank, updatedAt: now });
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
