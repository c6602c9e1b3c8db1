import type { Attachment } from '../../core/attachment.ts';
import { type Note, type Story, type Task, type Ticket, UNESTIMATED } from '../../core/story.ts';
import { isEstimatable } from '../../core/workflow.ts';
import { zonedDate } from '../../v3/dates.ts';
import type { IntegrationRow } from './integrations.ts';
import type { ProjectRow } from './projects.ts';
import type { StoryRow } from './storyRows.ts';

/** What hangs on stories, by story id. */
export interface StoryParts {
  readonly labels: ReadonlyMap<number, readonly string[]>;
  readonly notes: ReadonlyMap<number, readonly Note[]>;
  readonly tasks: ReadonlyMap<number, readonly Task[]>;
  readonly attachments: ReadonlyMap<number, readonly Attachment[]>;
  readonly integrations: readonly IntegrationRow[];
}

export type EstimateRules = Pick<ProjectRow, 'bugsAndChoresAreEstimatable'>;

/** A row and what hangs on it as a story; its page's address depends on who asks and is added later. */
export function storyOf(row: StoryRow, project: EstimateRules, parts: StoryParts): Story {
  const estimate = estimateOf(row, project);
  const ticket = ticketOf(row, parts.integrations);
  return {
    id: row.id,
    projectId: row.projectId,
    type: row.type,
    ...(estimate !== undefined && { estimate }),
    state: row.state,
    ...(ticket && { ticket }),
    ...(row.description !== null && { description: row.description }),
    name: row.name,
    ...(row.requestedBy !== null && { requestedBy: row.requestedBy }),
    ...(row.ownedBy !== null && { ownedBy: row.ownedBy }),
    createdAt: zonedDate(row.createdAt),
    updatedAt: zonedDate(row.updatedAt),
    ...(row.acceptedAt !== null && { acceptedAt: zonedDate(row.acceptedAt) }),
    ...(row.deadline !== null && { deadline: zonedDate(row.deadline) }),
    labels: parts.labels.get(row.id) ?? [],
    attachments: parts.attachments.get(row.id) ?? [],
    notes: parts.notes.get(row.id) ?? [],
    tasks: parts.tasks.get(row.id) ?? [],
  };
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
