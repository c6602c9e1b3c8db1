import type { Change } from '../auth/projectAccess.ts';
import { insertActivity, type NewActivity, type RecordedStory } from '../store/activities.ts';
import type { Tx } from '../store/database.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { tellWebHook } from '../store/projects/webHook.ts';

/** Tells in the project's activity, and to its web hook, what the user did; `description` goes on after the user's name. */
export async function record(
  { tx, project, user, now }: Change,
  eventType: string,
  description: string,
  stories: readonly RecordedStory[] = [],
): Promise<void> {
  await recordActivity(tx, project, {
    projectId: project.id,
    eventType,
    occurredAt: now,
    author: user.name,
    authorId: user.id,
    description: `${user.name} ${description}`,
    stories,
  });
}

/** Adds an activity to the project's and tells its web hook, in the transaction of the change. */
export async function recordActivity(tx: Tx, project: ProjectRow, activity: NewActivity): Promise<void> {
  await tellWebHook(tx, project, await insertActivity(tx, activity), activity.occurredAt);
}

/** A name in quotes, cut so that a description stays a line. */
export function quoted(name: string): string {
  const line = name.replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  return `"${characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : line}"`;
}
