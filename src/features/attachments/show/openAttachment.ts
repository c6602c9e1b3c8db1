import * as vscode from 'vscode';
import { openAddress } from '../../../host/shell/messages.ts';
import { byteText } from '../../../host/shell/plainText.ts';
import { attachmentUri } from '../../../host/story/attachmentUri.ts';
import { MEMORY_LIMIT } from '../prepare/offeredFiles.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import {
  type AttachmentNeeds,
  attachmentsOf,
  type FoundAttachment,
  type ReachableAttachment,
  withAddress,
} from './attachmentArgument.ts';
import { type KindOfContents, kindOfContents } from './kindOfContents.ts';
import { saveOne } from './saveAttachment.ts';

/** Bytes that tell text from what is none. */
const LOOKED_AT = 8 * 1024;
/** Bytes; a larger one is worth a question. */
const LARGE = 10 * 1024 * 1024;

/** Opens attachments: text and images in an editor, what is for other programs in the browser, which has them opened. */
export async function openAttachment(needs: AttachmentNeeds, argument: unknown, selected: unknown): Promise<void> {
  for (const one of await attachmentsOf(needs, argument, selected)) await openOne(needs, one);
}

async function openOne(needs: AttachmentNeeds, place: FoundAttachment): Promise<void> {
  const reachable = await withAddress(needs, place);
  if (!reachable) return;
  const { attachment, address } = reachable;
  const title = vscode.l10n.t('Downloading {0}', attachment.filename);
  const { bytes, size } = await withDelayedProgress(title, (signal) =>
    needs.engine.downloads.beginning(address, LOOKED_AT, { signal }),
  );
  const kind = kindOfContents(attachment.filename, bytes);
  const length = attachment.size ?? size ?? 0;
  const way = length > LARGE ? await wayForLarge(needs, attachment.filename, length, kind) : wayFor(kind);
  if (way === 'editor') await openInEditor(place, reachable, kind);
  else if (way === 'browser') await openAddress(address);
  else if (way === 'save') await saveOne(needs, place);
}

type Way = 'editor' | 'browser' | 'save';

function wayFor(kind: KindOfContents): Way {
  return kind === 'other' ? 'browser' : 'editor';
}

/** `undefined`: the person turned away. */
async function wayForLarge(
  { messages }: AttachmentNeeds,
  filename: string,
  size: number,
  kind: KindOfContents,
): Promise<Way | undefined> {
  const save = vscode.l10n.t('Save As…');
  const editor = vscode.l10n.t('Open in Editor');
  const browser = vscode.l10n.t('Open in Browser');
  const isForEditor = kind !== 'other' && size <= MEMORY_LIMIT;
  const question = vscode.l10n.t('“{0}” is large: {1}.', filename, byteText(size));
  const answer = await messages.ask(question, undefined, save, ...(isForEditor ? [editor] : []), browser);
  if (answer === editor) return 'editor';
  if (answer === browser) return 'browser';
  return answer === save ? 'save' : undefined;
}

/** Text never goes to an editor that would run what is in it, such as one for notebooks. */
async function openInEditor(place: FoundAttachment, { attachment }: ReachableAttachment, kind: KindOfContents) {
  const uri = attachmentUri(place.key, place.storyId, { ...attachment, id: place.attachmentId });
  if (kind === 'image') await vscode.commands.executeCommand('vscode.open', uri);
  else await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}
