import { isEstimatable } from '../../../core/backlog/workflow.ts';
import { type Story, type Ticket, UNESTIMATED } from '../../../core/story/story.ts';
import type { Tx } from '../database.ts';
import { type IntegrationRow, integrationsOfProject } from '../projects/projectParts.ts';
import type { ProjectRow } from '../projects/projects.ts';
import { toAttachment } from './attachments.ts';
import { toNote } from './notes.ts';
import { partsOfStory, type StoryParts } from './storyParts.ts';
import type { StoryRow } from './storyRows.ts';
import { storyOfRow } from './storyTable.ts';
import { toTask } from './tasks.ts';

/** What a project says about all of its stories. */
export interface StoryRules extends EstimateRules {
  readonly integrations: readonly IntegrationRow[];
}

type EstimateRules = Pick<ProjectRow, 'bugsAndChoresAreEstimatable'>;

/** A row and what hangs on it as a story; its page's address depends on who asks and is added later. */
export function storyOf(row: StoryRow, parts: StoryParts, rules: StoryRules): Story {
  return storyOfRow(row, {
    estimate: estimateOf(row, rules),
    ticket: ticketOf(row, rules.integrations),
    labels: parts.labels.map(({ name }) => name),
    attachments: parts.attachments.map(toAttachment),
    notes: parts.notes.map(toNote),
    tasks: parts.tasks.map(toTask),
  });
}

/** -1 while it can be estimated and is not; undefined for types that are not estimated (protocol.md, Elements: story). */
function estimateOf(row: Pick<StoryRow, 'type' | 'estimate'>, project: EstimateRules): number | undefined {
  const rules = { bugsAndChoresAreEstimatable: project.bugsAndChoresAreEstimatable === 1 };
  return isEstimatable(row.type, rules) ? (row.estimate ?? UNESTIMATED) : undefined;
}

function ticketOf({ externalId, integrationId }: StoryRow, all: readonly IntegrationRow[]): Ticket | undefined {
  const integration = all.find(({ id }) => id === integrationId);
  if (externalId === null || !integration) return undefined;
  const url = integration.ticketUrl === null ? undefined : integration.ticketUrl + encodeURIComponent(externalId);
  return {
    prefix: integration.fieldName.replace(/_id$/, ''),
    externalId,
    ...(url !== undefined && { url }),
    integrationId: integration.id,
  };
}

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
