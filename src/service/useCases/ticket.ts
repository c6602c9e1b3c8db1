import type { StoryFields } from '../../core/story.ts';
import { ANY_TICKET_PREFIXES, DEFAULT_TICKET_PREFIX } from '../../v3/assumptions.ts';
import { unprocessable } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import { type IntegrationRow, integrationsOfProject } from '../store/projects/integrations.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';

type Linked = Pick<StoryRow, 'integrationId' | 'externalId'>;

/** What a story has of a ticket that has none. */
export const UNLINKED: Linked = { integrationId: null, externalId: null };

/**
 * Endpoint 4: which integration and ticket a story is linked to. The ticket that it has may be of an integration that was switched off
 * since. Throws `Refusal` 422 with the sentences of protocol.md.
 */
export async function linkedTicket(
  tx: Tx,
  projectId: number,
  ticket: StoryFields['ticket'],
  before: Linked,
): Promise<Linked> {
  if (ticket === null) return UNLINKED;
  const externalId = ticket.externalId.trim();
  if (externalId === before.externalId && ticket.integrationId === before.integrationId) return before;
  if (externalId === '') {
    throw unprocessable('Both the external_id and integration need to be set, but external_id is blank.');
  }
  const active = (await integrationsOfProject(tx, projectId)).filter((integration) => integration.active === 1);
  const integration = namedIntegration(active, ticket.prefix, ticket.integrationId);
  return { integrationId: integration.id, externalId };
}

/** `other_id` and `external_id` stand for any kind of integration, since existing clients write nothing else. */
function namedIntegration(
  active: readonly IntegrationRow[],
  prefix: string = DEFAULT_TICKET_PREFIX,
  integrationId: number | undefined,
): IntegrationRow {
  const fieldName = `${prefix}_id`;
  const isAnyKind = ANY_TICKET_PREFIXES.includes(prefix);
  const ofKind = active.filter((integration) => integration.fieldName === fieldName);
  const candidates = ofKind.length > 0 || !isAnyKind ? ofKind : active;
  if (integrationId !== undefined) {
    const named = active.find(({ id }) => id === integrationId);
    if (!named) throw unprocessable(`This project has no active integration ${integrationId}.`);
    if (isAnyKind || named.fieldName === fieldName) return named;
    throw unprocessable(`Integration ${integrationId} of this project takes ${named.fieldName}, not ${fieldName}.`);
  }
  const [only, second] = candidates;
  if (!only) throw unprocessable(`This project has no active integration that takes ${fieldName}.`);
  if (second) throw unprocessable('This project has several integrations of this kind: name one with integration_id.');
  return only;
}
