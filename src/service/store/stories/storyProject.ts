import type { Updateable } from 'kysely';
import type { Tx } from '../database.ts';
import type { Schema } from '../schema.ts';
import type { StoryRow } from './storyRows.ts';

/** What hangs on a story and says in which project it is. */
const PARTS = ['notes', 'tasks', 'attachments', 'sourceCommits', 'mailReplies'] as const;

export type PlaceInProject = Omit<Updateable<Schema['stories']>, 'id'> &
  Pick<StoryRow, 'projectId' | 'inIcebox' | 'rank'>;

/**
 * Puts a story with its comments, tasks, files and commits into another project, with all else that changes of it. Its labels are those of
 * the project and stay behind; a file that it came from does not bring it again.
 */
export async function putInProject(tx: Tx, storyId: number, place: PlaceInProject): Promise<StoryRow> {
  const { projectId } = place;
  await tx.deleteFrom('storyLabels').where('storyId', '=', storyId).execute();
  await tx.updateTable('importedStories').set({ storyId: null }).where('storyId', '=', storyId).execute();
  for (const table of PARTS) await tx.updateTable(table).set({ projectId }).where('storyId', '=', storyId).execute();
  return tx.updateTable('stories').set(place).where('id', '=', storyId).returningAll().executeTakeFirstOrThrow();
}
