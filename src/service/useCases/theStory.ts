import type { Change } from '../auth/projectAccess.ts';
import { notFound, type Refusal } from '../ground/errors.ts';
import { type AddedContent, fullStory } from '../input/fieldLimits.ts';
import type { Tx } from '../store/database.ts';
import { storyContent } from '../store/stories/storyContent.ts';
import { type StoryRow, storyRow } from '../store/stories/storyRows.ts';

/** The row of a story that the caller's path names; 404 when it is not in this project. */
export async function theStory(tx: Tx, projectId: number, storyId: number): Promise<StoryRow> {
  const row = await storyRow(tx, projectId, storyId);
  if (!row) throw noStory(storyId);
  return row;
}

export function noStory(storyId: number): Error {
  return notFound(`There is no story ${storyId} in this project.`);
}

/** The same inside a change. */
export function changedStory({ tx, project }: Change, storyId: number): Promise<StoryRow> {
  return theStory(tx, project.id, storyId);
}

/** Throws `Refusal` 422 when a story cannot take what is added to it. */
export async function refuseFullStory(change: Pick<Change, 'tx'>, storyId: number, added: AddedContent): Promise<void> {
  const refusal = await noRoom(change, storyId, added);
  if (refusal) throw refusal;
}

/** The refusal of a story that cannot take what is added to it. */
export async function noRoom(
  { tx }: Pick<Change, 'tx'>,
  storyId: number,
  added: AddedContent,
): Promise<Refusal | undefined> {
  return fullStory(await storyContent(tx, storyId), added);
}
