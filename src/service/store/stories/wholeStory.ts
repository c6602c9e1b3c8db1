import type { Story } from '../../../core/story.ts';
import type { Tx } from '../database.ts';
import { integrationsOfProject } from '../projects/integrations.ts';
import type { ProjectRow } from '../projects/projects.ts';
import { type StoryRules, storyOf } from './storyOf.ts';
import { partsOfStory } from './storyParts.ts';
import type { StoryRow } from './storyRows.ts';

export async function wholeStory(tx: Tx, project: ProjectRow, row: StoryRow): Promise<Story> {
  return storyOf(row, await partsOfStory(tx, row.id), await storyRules(tx, project, [row]));
}

/** What a project says about these of its stories, or about all; integrations matter only to those with a ticket. */
export async function storyRules(
  tx: Tx,
  { id, bugsAndChoresAreEstimatable }: ProjectRow,
  stories?: readonly Pick<StoryRow, 'externalId'>[],
): Promise<StoryRules> {
  const isLinked = stories === undefined || stories.some(({ externalId }) => externalId !== null);
  return { bugsAndChoresAreEstimatable, integrations: isLinked ? await integrationsOfProject(tx, id) : [] };
}
