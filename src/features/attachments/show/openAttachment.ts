import * as vscode from 'vscode';
import { failureMeans, kindOf, messageOf, TrackerError } from '../../../core/errors.ts';
import type { App } from '../../../host/app.ts';
import { openAddress } from '../../../host/shell/messages.ts';
import { byteText } from '../../../host/shell/plainText.ts';
import { attachmentPlace, attachmentUri } from '../../../host/story/attachmentUri.ts';
import { type CurrentAttachment, type KindOfContents, kindOfContents } from '../../../host/story/theAttachment.ts';
import { MEMORY_LIMIT } from '../prepare/offeredFiles.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import {
  type AttachmentNeeds,
  askedAttachment,
  attachmentsOf,
  type FoundAttachment,
  noAddress,
  type ReachableAttachment,
  withAddress,
} from './attachmentArgument.ts';
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
  const { attachment, address, waited } = reachable;
  const title = vscode.l10n.t('Downloading {0}', attachment.filename);
  const { bytes, size } = await withDelayedProgress(title, (signal) =>
    needs.engine.downloads.beginning(address, LOOKED_AT, { signal, waited }),
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

/** Milliseconds; VS Code asks several times for what it opens. */
const KEPT_FOR = 5000;

/** What attachments hold, fetched when VS Code asks. */
export class AttachmentContents {
  private readonly needs: Pick<App, 'backlogs' | 'engine'>;
  private readonly asked = new Map<string, { readonly at: number; readonly answer: Promise<CurrentAttachment> }>();
  /** The one that was last read only to know its size. */
  private measured: { readonly uri: string; readonly bytes: Uint8Array } | undefined;

  constructor(needs: Pick<App, 'backlogs' | 'engine'>) {
    this.needs = needs;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    return reworded(uri, async () => {
      const { attachment } = await this.current(uri);
      const time = attachment.uploadedAt?.time ?? 0;
      const size = attachment.size ?? (await this.measure(uri));
      const { File } = vscode.FileType;
      return { type: File, ctime: time, mtime: time, size, permissions: vscode.FilePermission.Readonly };
    });
  }

  async read(uri: vscode.Uri): Promise<Uint8Array> {
    return reworded(uri, async () => {
      const { measured } = this;
      this.measured = undefined;
      return measured?.uri === uri.toString() ? measured.bytes : this.fetch(uri);
    });
  }

  /** VS Code takes no file for whole whose size is another than it was told. */
  private async measure(uri: vscode.Uri): Promise<number> {
    const id = uri.toString();
    if (this.measured?.uri !== id) this.measured = { uri: id, bytes: await this.fetch(uri) };
    return this.measured.bytes.length;
  }

  private async fetch(uri: vscode.Uri): Promise<Uint8Array> {
    const { attachment, address, waited } = await this.current(uri);
    if (address === undefined) throw new TrackerError('notFound', noAddress(attachment));
    const { bytes, isWhole } = await this.needs.engine.downloads.beginning(address, MEMORY_LIMIT, { waited });
    if (isWhole) return bytes;
    const text = vscode.l10n.t(
      '“{0}” is larger than {1}. Save it instead of opening it.',
      attachment.filename,
      byteText(MEMORY_LIMIT),
    );
    throw new TrackerError('tooLarge', text);
  }

  private current(uri: vscode.Uri): Promise<CurrentAttachment> {
    const id = uri.toString();
    const now = Date.now();
    for (const [key, { at }] of this.asked) if (now - at > KEPT_FOR) this.asked.delete(key);
    const known = this.asked.get(id);
    if (known) return known.answer;
    const place = attachmentPlace(uri);
    if (!place) throw vscode.FileSystemError.FileNotFound(uri);
    const answer = askedAttachment(this.needs.backlogs, place);
    this.asked.set(id, { at: now, answer });
    answer.catch(() => this.asked.delete(id));
    return answer;
  }
}

/** In the terms of VS Code, which shows the sentence where the file would be. */
async function reworded<T>(uri: vscode.Uri, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof vscode.FileSystemError) throw thrown;
    const kind = kindOf(thrown);
    if (failureMeans(kind, 'denied')) throw vscode.FileSystemError.NoPermissions(messageOf(thrown));
    if (kind === 'notFound') throw vscode.FileSystemError.FileNotFound(messageOf(thrown));
    throw vscode.FileSystemError.Unavailable(thrown instanceof Error ? thrown.message : uri);
  }
}
