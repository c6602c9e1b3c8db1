import type { Change } from '../auth/projectAccess.ts';
import { insertActivity, type RecordedStory } from '../store/activities.ts';

/** Tells in the project's activity what the user did; `description` goes on after the user's name. */
export async function record(
  { tx, project, user, now }: Change,
  eventType: string,
  description: string,
  stories: readonly RecordedStory[] = [],
): Promise<void> {
  await insertActivity(tx, {
    projectId: project.id,
    eventType,
    occurredAt: now,
    author: user.name,
    authorId: user.id,
    description: `${user.name} ${description}`,
    stories,
  });
}

/** A name in quotes, cut so that a description stays a line. */
export function quoted(name: string): string {
  const line = name.replace(/\s+/gu, ' ').trim();
  const characters = [...line];
  return `"${characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : line}"`;
}
