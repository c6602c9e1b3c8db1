import type { Story } from '../../core/story.ts';
import type { Tx } from './database.ts';
import { integrationsOfProject } from './integrations.ts';
import type { ProjectRow } from './projects.ts';
import { type StoryParts, storyOf } from './storyOf.ts';
import { attachmentsFor, labelsFor, notesFor, type PartsOf, tasksFor } from './storyParts.ts';
import { type StoryRow, storyRow } from './storyRows.ts';

/** Rows of a project as whole stories. */
export async function storiesOf(tx: Tx, project: ProjectRow, rows: readonly StoryRow[]): Promise<Story[]> {
  const parts = await partsOf(tx, project.id, { projectId: project.id });
  return rows.map((row) => storyOf(row, project, parts));
}

export async function wholeStory(tx: Tx, project: ProjectRow, row: StoryRow): Promise<Story> {
  return storyOf(row, project, await partsOf(tx, project.id, { storyId: row.id }));
}

export async function storyById(tx: Tx, project: ProjectRow, storyId: number): Promise<Story | undefined> {
  const row = await storyRow(tx, project.id, storyId);
  return row && wholeStory(tx, project, row);
}

async function partsOf(tx: Tx, projectId: number, of: PartsOf): Promise<StoryParts> {
  return {
    labels: await labelsFor(tx, of),
    notes: await notesFor(tx, of),
    tasks: await tasksFor(tx, of),
    attachments: await attachmentsFor(tx, of),
    integrations: await integrationsOfProject(tx, projectId),
  };
}
