import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import type { Attachment } from '../../../core/story/attachment.ts';
import type { App } from '../../../host/app.ts';
import type { AttachmentPlace } from '../../../host/story/attachmentUri.ts';
import { theAttachment } from './theAttachment.ts';

export interface ReachableAttachment {
  readonly attachment: Attachment;
  /** Valid for a while, without a token. */
  readonly address: string;
}

/** The attachment and where it can be fetched now. Without an address the story's page is offered instead, and nothing returned. */
export async function withAddress(
  { backlogs, messages }: Pick<App, 'backlogs' | 'messages'>,
  place: AttachmentPlace,
): Promise<ReachableAttachment | undefined> {
  const { attachment, address, page } = await theAttachment(backlogs, place);
  if (address !== undefined) return { attachment, address };
  const text = noAddress(attachment);
  if (page === undefined) throw new TrackerError('notFound', text);
  const openPage = vscode.l10n.t("Open the Story's Page");
  void messages.offer(text, openPage).then((answer) => {
    if (answer === openPage) void vscode.env.openExternal(vscode.Uri.parse(page, true));
  });
  return undefined;
}

/** Says that the server gives no address for an attachment. */
export function noAddress({ filename }: Attachment): string {
  return vscode.l10n.t('The server gives no address for “{0}”.', filename);
}
