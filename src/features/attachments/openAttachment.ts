import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { openableAddress } from './attachmentAddress.ts';
import { type AttachmentNeeds, attachmentOf, type FoundAttachment } from './attachmentArgument.ts';

/** Opens an attachment by its temporary address in the browser. */
export async function openAttachment(needs: AttachmentNeeds, argument: unknown): Promise<void> {
  const chosen = await attachmentOf(needs, argument);
  if (!chosen) return;
  const address = await addressOf(needs, chosen);
  if (address !== undefined) await vscode.env.openExternal(vscode.Uri.parse(address, true));
}

/** The address to fetch the attachment from. Without one the story's page is offered instead, and nothing returned. */
export async function addressOf(
  needs: AttachmentNeeds,
  { found, attachment }: FoundAttachment,
): Promise<string | undefined> {
  const page = openableAddress(found.story.url, undefined);
  const address = openableAddress(attachment.url, page);
  if (address !== undefined) return address;
  const text = vscode.l10n.t('The server gives no address for “{0}”.', attachment.filename);
  if (page === undefined) throw new TrackerError('notFound', text);
  const openPage = vscode.l10n.t("Open the Story's Page");
  void needs.messages.offer(text, openPage).then((answer) => {
    if (answer === openPage) void vscode.env.openExternal(vscode.Uri.parse(page, true));
  });
  return undefined;
}
