import * as vscode from 'vscode';
import { isCancelled, messageOf, TrackerError } from '../../../core/errors.ts';
import type { SaveOptions } from '../../../core/ports/outgoingFiles.ts';
import type { App } from '../../../host/app.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { byteText, isolatedInTitle, withoutLinks } from '../../../host/shell/plainText.ts';
import { safeFileName } from '../../../host/shell/safeFileName.ts';
import type { AttachmentPlace } from '../../../host/story/attachmentUri.ts';
import { newNames } from '../prepare/newNames.ts';
import { MEMORY_LIMIT, nameOf } from '../prepare/offeredFiles.ts';
import { AT_ONCE, mapWithLimit, type Outcome } from '../send/pace.ts';
import {
  type AttachmentNeeds,
  allAttachmentsOf,
  askedAttachment,
  attachmentsOf,
  type FoundAttachment,
  noAddress,
  type ReachableAttachment,
  withAddress,
} from './attachmentArgument.ts';

/**
 * Saves an attachment to a file: the one that a program names as `target` (a `Uri`; it is replaced only with `overwrite: true`),
 * or one that is asked for. Several that are selected go to one folder.
 */
export async function saveAttachment(needs: AttachmentNeeds, argument: unknown, selected: unknown): Promise<void> {
  const [one, ...others] = await attachmentsOf(needs, argument, selected);
  if (!one) return;
  if (others.length === 0) return saveOne(needs, one, isPlainObject(argument) ? argument : {});
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
    title: vscode.l10n.t('Save {0} As', isolatedInTitle(filename)),
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

/** Saves all attachments of a story to a folder: the one that a program names as `folder` (a `Uri`), or one that is asked for. */
export async function saveAllAttachments(needs: AttachmentNeeds, argument: unknown): Promise<void> {
  const all = await allAttachmentsOf(needs, argument);
  const folder = isPlainObject(argument) && argument.folder instanceof vscode.Uri ? argument.folder : undefined;
  if (all.length > 0) await saveSeveral(needs, all, folder);
}

/** Saves attachments under names that are free. @throws TrackerError for a program, when one was not saved. */
async function saveSeveral(
  needs: AttachmentNeeds,
  attachments: readonly FoundAttachment[],
  named: vscode.Uri | undefined,
): Promise<void> {
  const folder = named ?? (await askForFolder());
  if (!folder) return;
  const outcomes = await saveInto(needs, attachments, folder);
  const failed = outcomes.filter((outcome) => outcome.status === 'failed');
  if (failed.length === 0) {
    needs.messages.status(savedText(outcomes.length, folder));
    return;
  }
  if (failed.every(({ error }) => isCancelled(error))) return;
  const reasons = failed.map(({ item, error }) => `“${filenameOf(item)}”: ${messageOf(error)}`).join(' ');
  const text =
    outcomes.length === 1
      ? vscode.l10n.t('Could not save the file. {0}', reasons)
      : vscode.l10n.t('Could not save {0} of {1} files. {2}', failed.length, outcomes.length, reasons);
  if (named) throw new TrackerError('input', text);
  const retry = vscode.l10n.t('Retry Failed');
  void needs.messages.offer(text, retry).then(async (answer) => {
    if (answer !== retry) return;
    const again = failed.map(({ item }) => item);
    await saveSeveral(needs, again, folder).catch((thrown: unknown) => needs.messages.error(thrown));
  });
}

function savedText(count: number, folder: vscode.Uri): string {
  return count === 1
    ? vscode.l10n.t('Saved 1 file to {0}.', nameOf(folder))
    : vscode.l10n.t('Saved {0} files to {1}.', count, nameOf(folder));
}

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const options = {
    ...{ canSelectFolders: true, canSelectFiles: false },
    ...{ openLabel: vscode.l10n.t('Save Here'), title: vscode.l10n.t('Save Attachments to Folder') },
  };
  return (await vscode.window.showOpenDialog(options))?.[0];
}

async function saveInto(
  needs: AttachmentNeeds,
  attachments: readonly FoundAttachment[],
  folder: vscode.Uri,
): Promise<readonly Outcome<FoundAttachment, void>[]> {
  const there = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
  const names = newNames(
    attachments.map((one) => safeFileName(filenameOf(one))),
    there,
  );
  const targets = new Map(
    attachments.map((one, index) => [one, vscode.Uri.joinPath(folder, names[index] ?? 'attachment')]),
  );
  const title =
    attachments.length === 1 ? vscode.l10n.t('Saving 1 file') : vscode.l10n.t('Saving {0} files', attachments.length);
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  return vscode.window.withProgress(options, (progress, cancel) => {
    const controller = new AbortController();
    cancel.onCancellationRequested(() => controller.abort());
    const { signal } = controller;
    let saved = 0;
    const save = async (one: FoundAttachment) => {
      await saveHere(needs, one, targets.get(one) ?? folder, signal);
      saved += 1;
      const message = vscode.l10n.t('{0} of {1}', saved, attachments.length);
      progress.report({ message, increment: 100 / attachments.length });
    };
    return mapWithLimit(attachments, AT_ONCE, save, isCancelled);
  });
}

async function saveHere(needs: AttachmentNeeds, one: FoundAttachment, target: vscode.Uri, signal: AbortSignal) {
  const { attachment, address, waited } = await askedAttachment(needs.backlogs, one);
  if (address === undefined) throw new TrackerError('notFound', noAddress(attachment));
  await saveTo(needs.engine, { address, waited }, target, { signal });
}

function filenameOf({ listed, attachmentId }: FoundAttachment): string {
  return listed?.filename || String(attachmentId);
}

/**
 * Fetches an attachment into a file; one that is there is replaced only with `isReplacing`, and not before all has come. What
 * is not on this machine's disk goes through memory, so there is a limit to it. @throws TrackerError
 */
async function saveTo(
  { downloads }: Pick<App['engine'], 'downloads'>,
  { address, waited }: Pick<ReachableAttachment, 'address' | 'waited'>,
  target: vscode.Uri,
  saving: SaveOptions = {},
): Promise<void> {
  const options = { ...saving, waited };
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
