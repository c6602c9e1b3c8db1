import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPlainObject } from '../../host/commands.ts';
import { withoutLinks } from '../../host/plainText.ts';
import { type AttachmentNeeds, attachmentOf } from './attachmentArgument.ts';
import { nameOf } from './nameOf.ts';
import { addressOf } from './openAttachment.ts';

/** Saves an attachment to a file: the one that a program names as `target` (a `Uri`), or one that is asked for. */
export async function saveAttachment(needs: AttachmentNeeds, argument: unknown): Promise<void> {
  const chosen = await attachmentOf(needs, argument);
  if (!chosen) return;
  const address = await addressOf(needs, chosen);
  const target = address === undefined ? undefined : await targetOf(argument, chosen.attachment.filename);
  if (address === undefined || !target) return;
  const title = vscode.l10n.t('Saving {0}', withoutLinks(chosen.attachment.filename));
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title };
  await vscode.window.withProgress(options, async (_, cancel) => {
    const controller = new AbortController();
    cancel.onCancellationRequested(() => controller.abort());
    await download(address, target, controller.signal);
  });
  needs.messages.status(vscode.l10n.t('Saved {0}.', nameOf(target)));
}

async function targetOf(argument: unknown, filename: string): Promise<vscode.Uri | undefined> {
  if (isPlainObject(argument) && argument.target instanceof vscode.Uri) return argument.target;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  // The name comes from a server: only its last part counts.
  const name = filename.split(/[\\/]/).at(-1) || vscode.l10n.t('attachment');
  return vscode.window.showSaveDialog(folder ? { defaultUri: vscode.Uri.joinPath(folder, name) } : {});
}

/** The address is valid by itself, so no token goes with it. A file that is there already stays until all has come. */
async function download(address: string, target: vscode.Uri, signal: AbortSignal): Promise<void> {
  const response = await fetch(address, { signal }).catch((thrown: unknown) => {
    if (signal.aborted) throw thrown;
    throw new TrackerError('unreachable', vscode.l10n.t('The attachment could not be fetched.'), { cause: thrown });
  });
  if (!response.ok || !response.body) {
    const text = vscode.l10n.t('The attachment could not be fetched: the server answered {0}.', response.status);
    throw new TrackerError('notFound', text, { status: response.status });
  }
  if (target.scheme !== 'file') {
    await vscode.workspace.fs.writeFile(target, new Uint8Array(await response.arrayBuffer()));
    return;
  }
  const part = `${target.fsPath}.part`;
  try {
    await pipeline(Readable.fromWeb(response.body), createWriteStream(part, { flags: 'wx' }), { signal });
    await rename(part, target.fsPath);
  } catch (thrown) {
    await rm(part, { force: true });
    throw thrown;
  }
}
