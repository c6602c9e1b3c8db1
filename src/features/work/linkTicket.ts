import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Integration } from '../../core/story/project.ts';
import type { Story, StoryFields, Ticket } from '../../core/story/story.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { isolatedInTitle, withoutIcons, withoutLinks } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { applyEdits, type WorkNeeds } from './applyEdits.ts';

type TicketEdit = NonNullable<StoryFields['ticket']>;

/**
 * Links a story to the ticket `externalId` of the integration `integrationId`, which may be left out where there is one
 * only; else both are asked for (endpoint 4).
 */
export async function linkTicket(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Link which story to a ticket?'));
  if (!found) return;
  const { key, story } = found;
  const { project } = await needs.backlogs.backlog(key);
  const active = project.integrations.filter((integration) => integration.active);
  const ticket = wish(args, active) ?? (await askTicket(story, active));
  if (!ticket) return;
  const intent = { kind: 'edit', storyId: story.id, edit: { ticket } } as const;
  const done = vscode.l10n.t('Linked story #{0} to ticket {1}.', story.id, ticket.externalId);
  await applyEdits(needs, key, [{ story, intent }], done);
}

/** What a program cannot know is left to the server, which refuses what is not clear. */
function wish(args: readonly unknown[], active: readonly Integration[]): TicketEdit | undefined {
  const { externalId, integrationId } = programArguments(args);
  if (externalId === undefined && integrationId === undefined) return undefined;
  const isId = integrationId === undefined || typeof integrationId === 'number';
  if (typeof externalId !== 'string' || externalId.trim() === '' || !isId) {
    throw new TrackerError(
      'input',
      vscode.l10n.t('Pass the ticket as { externalId: string, integrationId?: number }.'),
    );
  }
  const only = active.length === 1 ? active[0] : undefined;
  const named = integrationId === undefined ? only : active.find(({ id }) => id === integrationId);
  return named
    ? ticketOf(named, externalId)
    : { externalId, ...(typeof integrationId === 'number' && { integrationId }) };
}

function ticketOf({ id, fieldName }: Integration, externalId: string): TicketEdit {
  return { prefix: fieldName.replace(/_id$/, ''), externalId: externalId.trim(), integrationId: id };
}

async function askTicket(story: Story, active: readonly Integration[]): Promise<TicketEdit | undefined> {
  if (active.length === 0) {
    throw new TrackerError(
      'input',
      vscode.l10n.t('This project has no integration with an issue tracker. Add one in Project Settings.'),
    );
  }
  const integration = active.length === 1 ? active[0] : await askIntegration(story, active);
  if (!integration) return undefined;
  const externalId = await vscode.window.showInputBox({
    title: vscode.l10n.t('Ticket of Story #{0} in {1}', story.id, isolatedInTitle(integration.name)),
    prompt: withoutLinks(storyLabel(story)),
    placeHolder:
      integration.fieldLabel === undefined
        ? vscode.l10n.t('Ticket number or ID')
        : isolatedInTitle(integration.fieldLabel),
    value: story.ticket?.integrationId === integration.id ? story.ticket.externalId : '',
    ignoreFocusOut: true,
    validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Enter a ticket ID.') : undefined),
  });
  return externalId === undefined ? undefined : ticketOf(integration, externalId);
}

async function askIntegration(story: Story, active: readonly Integration[]): Promise<Integration | undefined> {
  const items = active.map((integration) => ({
    label: withoutIcons(integration.name),
    description: withoutIcons(integration.type),
    integration,
  }));
  const placeHolder = vscode.l10n.t('Which issue tracker has the ticket of story #{0}?', story.id);
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.integration;
}

/** Takes the ticket off a story; the ticket itself stays as it is. */
export async function unlinkTicket(needs: WorkNeeds, argument: unknown): Promise<void> {
  const found = await needs.storyArgument.ofSelection(argument, vscode.l10n.t('Unlink the ticket of which story?'));
  if (!found) return;
  const { key, story } = found;
  const { externalId } = shownTicketOf(story);
  const intent = { kind: 'edit', storyId: story.id, edit: { ticket: null } } as const;
  const done = vscode.l10n.t('Unlinked ticket {1} from story #{0}.', story.id, externalId);
  await applyEdits(needs, key, [{ story, intent }], done);
}

/** Opens the page of a story's ticket. Only the web: what a server names must not start other programs. */
export async function openTicket(
  { storyArgument }: Pick<WorkNeeds, 'storyArgument'>,
  argument: unknown,
): Promise<void> {
  const found = await storyArgument.ofSelection(argument, vscode.l10n.t('Open the ticket of which story?'));
  if (!found) return;
  const { externalId, url } = shownTicketOf(found.story);
  if (!url) {
    throw new TrackerError('notFound', vscode.l10n.t('The server has no link for ticket {0}.', externalId));
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new TrackerError('refused', vscode.l10n.t('The link of ticket {0} is not a web page: {1}', externalId, url));
  }
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

function shownTicketOf({ id, ticket }: Story): Ticket {
  if (ticket) return ticket;
  throw new TrackerError('input', vscode.l10n.t('Story #{0} is not linked to a ticket.', id));
}
