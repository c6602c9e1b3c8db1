import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import type { SaveOptions } from '../../../core/ports/outgoingFiles.ts';
import type { Attachment } from '../../../core/story/attachment.ts';
import type { App } from '../../../host/app.ts';
import type { AttachmentPlace } from '../../../host/story/attachmentUri.ts';
import { theAttachment } from '../../../host/story/theAttachment.ts';
import { MEMORY_LIMIT, nameOf } from '../prepare/offeredFiles.ts';

/**
 * Fetches an attachment into a file; one that is there is replaced only with `isReplacing`, and not before all has come. What
 * is not on this machine's disk goes through memory, so there is a limit to it. @throws TrackerError
 */
export async function saveTo(
  { downloads }: Pick<App['engine'], 'downloads'>,
  { address }: Pick<ReachableAttachment, 'address'>,
  target: vscode.Uri,
  options: SaveOptions = {},
): Promise<void> {
  if (target.scheme === 'file') await downloads.save(address, target.fsPath, options);
  else await saveElsewhere(downloads, address, target, options);
}

async function saveElsewhere(
  downloads: App['engine']['downloads'],
  address: string,
  target: vscode.Uri,
  { isReplacing, ...options }: SaveOptions,
): Promise<void> {
  const { bytes, isWhole } = await downloads.beginning(address, MEMORY_LIMIT, options);
  if (!isWhole) {
    throw new TrackerError('input', vscode.l10n.t('“{0}” is too large to save there.', nameOf(target)));
  }
  if (!isReplacing && (await isThere(target))) {
    throw new TrackerError('input', vscode.l10n.t('A file named “{0}” already exists.', nameOf(target)));
  }
  await vscode.workspace.fs.writeFile(target, bytes);
}

async function isThere(target: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(target).then(
    () => true,
    () => false,
  );
}

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
  const openPage = vscode.l10n.t('Open Story in Browser');
  void messages.offer(text, openPage).then((answer) => {
    if (answer === openPage) void vscode.env.openExternal(vscode.Uri.parse(page, true));
  });
  return undefined;
}

/** Says that the server gives no address for an attachment. */
export function noAddress({ filename }: Attachment): string {
  return vscode.l10n.t('The server has no address for “{0}”.', filename);
}
