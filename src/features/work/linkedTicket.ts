import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Story, Ticket } from '../../core/story/story.ts';
import { applyEdits } from './applyEdits.ts';
import type { WorkNeeds } from './editsMade.ts';

/** Takes the ticket off a story; the ticket itself stays as it is. */
export async function unlinkTicket(needs: WorkNeeds, argument: unknown): Promise<void> {
  const found = await needs.storyArgument.ofSelection(argument, vscode.l10n.t('Unlink the ticket of which story?'));
  if (!found) return;
  const { key, story } = found;
  const { externalId } = ticketOf(story);
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
  const { externalId, url } = ticketOf(found.story);
  if (!url) {
    throw new TrackerError('notFound', vscode.l10n.t('The server has no link for ticket {0}.', externalId));
  }
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new TrackerError('refused', vscode.l10n.t('The link of ticket {0} is not a web page: {1}', externalId, url));
  }
  await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

function ticketOf({ id, ticket }: Story): Ticket {
  if (ticket) return ticket;
  throw new TrackerError('input', vscode.l10n.t('Story #{0} is not linked to a ticket.', id));
}
