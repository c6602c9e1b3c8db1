import * as vscode from 'vscode';
import type { SaveOptions } from '../../../core/ports/outgoingFiles.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { byteText, safeFileName, withoutLinks } from '../../../host/shell/plainText.ts';
import type { AttachmentPlace } from '../../../host/story/attachmentUri.ts';
import { nameOf } from '../prepare/untitledName.ts';
import { type AttachmentNeeds, attachmentsOf } from './attachmentArgument.ts';
import { saveTo, withAddress } from './saveTo.ts';

/**
 * Saves an attachment to a file: the one that a program names as `target` (a `Uri`; it is replaced only with `overwrite: true`),
 * or one that is asked for. Several that are selected go to one folder.
 */
export async function saveAttachment(needs: AttachmentNeeds, argument: unknown, selected: unknown): Promise<void> {
  const [one, ...others] = await attachmentsOf(needs, argument, selected);
  if (!one) return;
  if (others.length === 0) return saveOne(needs, one, isPlainObject(argument) ? argument : {});
  const { saveSeveral } = await import('./saveAllAttachments.ts');
  await saveSeveral(needs, [one, ...others], undefined);
}

/** A person has been asked by the dialogue whether to replace a file. */
export async function saveOne(
  needs: AttachmentNeeds,
  place: AttachmentPlace,
  wishes: { readonly target?: unknown; readonly overwrite?: unknown } = {},
): Promise<void> {
  const reachable = await withAddress(needs, place);
  if (!reachable) return;
  const { filename } = reachable.attachment;
  const named = wishes.target instanceof vscode.Uri ? wishes.target : undefined;
  const target = named ?? (await askWhere(filename));
  // An address is short-lived, and the dialogue may have been open for long.
  const now = named ? reachable : target && (await withAddress(needs, place));
  if (!target || !now) return;
  const isReplacing = named === undefined || wishes.overwrite === true;
  await showingProgress(filename, (options) => saveTo(needs.engine, now, target, { ...options, isReplacing }));
  needs.messages.status(vscode.l10n.t('Saved {0}.', nameOf(target)));
}

function askWhere(filename: string): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({
    defaultUri: proposed(filename),
    saveLabel: vscode.l10n.t('Save'),
    title: vscode.l10n.t('Save {0} As', filename),
  });
}

function proposed(filename: string): vscode.Uri {
  const name = safeFileName(filename);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(`/${name}`);
}

/** With the bytes that have come, and Cancel. */
function showingProgress(filename: string, work: (options: SaveOptions) => Promise<void>): Thenable<void> {
  const title = vscode.l10n.t('Saving {0}', withoutLinks(filename));
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, (progress, cancel) => {
    const controller = new AbortController();
    cancel.onCancellationRequested(() => controller.abort());
    let shown = 0;
    const onProgress = (written: number, total: number | undefined) => {
      const percent = total ? (100 * written) / total : 0;
      progress.report({ message: progressText(written, total), increment: percent - shown });
      shown = percent;
    };
    return work({ signal: controller.signal, onProgress });
  });
}

function progressText(written: number, total: number | undefined): string {
  return total === undefined ? byteText(written) : vscode.l10n.t('{0} of {1}', byteText(written), byteText(total));
}
