import type { Integration } from '../../../core/story/project.ts';
import type { Ticket } from '../../../core/story/story.ts';
import type { Tx } from '../../store/database.ts';
import {
  addIntegration,
  type IntegrationRow,
  integrationsOfProject,
  setTicketUrl,
} from '../../store/projects/projectParts.ts';
import { type Linked, UNLINKED } from '../../useCases/storyFields.ts';
import type { Remarking } from './remarks.ts';

/** Tickets of a file, in the integrations of the project. */
export class Tickets {
  private readonly tx: Tx;
  private readonly projectId: number;
  private readonly ours = new Map<number, number>();
  private integrations: IntegrationRow[] = [];

  constructor(tx: Tx, projectId: number) {
    this.tx = tx;
    this.projectId = projectId;
  }

  /** Gives a new project the integrations that the file says it has. */
  async add(integrations: readonly Integration[]): Promise<void> {
    const { projectId } = this;
    for (const { id, type, name, fieldName, fieldLabel = name, active } of integrations) {
      const row = { projectId, type, name, fieldName, fieldLabel, ticketUrl: null, active: Number(active) };
      this.ours.set(id, await addIntegration(this.tx, row));
    }
  }

  async load(): Promise<void> {
    this.integrations = await integrationsOfProject(this.tx, this.projectId);
  }

  /** How a story is linked; remarks a ticket of which the project has no integration. */
  async of(ticket: Ticket | undefined, remark: Remarking): Promise<Linked> {
    if (!ticket) return UNLINKED;
    const { externalId, integrationId = 0 } = ticket;
    const wanted = this.ours.get(integrationId);
    const field = `${ticket.prefix}_id`;
    const found =
      this.integrations.find(({ id }) => id === wanted) ??
      this.integrations.find(({ fieldName }) => fieldName === field);
    if (!found) {
      remark(field, externalId, 'The project has no integration for this ticket. The link was left out.');
      return UNLINKED;
    }
    await this.learnAddress(found, ticket);
    return { integrationId: found.id, externalId };
  }

  /** What comes before the id in tickets' addresses is told by the first that has one. */
  private async learnAddress(integration: IntegrationRow, { url, externalId }: Ticket): Promise<void> {
    const end = encodeURIComponent(externalId);
    if (integration.ticketUrl !== null || !url?.endsWith(end) || !/^https?:\/\/./.test(url)) return;
    integration.ticketUrl = url.slice(0, -end.length);
    await setTicketUrl(this.tx, integration.id, integration.ticketUrl);
  }
}
