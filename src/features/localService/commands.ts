import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { callerOf, isPlainObject } from '../../host/shell/commands.ts';
import { builtInSettings } from '../../host/shell/settings.ts';
import { fieldsOf, serviceEnvironment } from './serviceProcess.ts';

interface Backup {
  /** That was made. */
  readonly folder: string;
  /** Attached files in it. */
  readonly files: number;
  /** Attachments of which the file was missing. */
  readonly missing: number;
}

interface Needs extends Pick<App, 'log' | 'messages'> {
  readonly script: string;
}

/** Copies all data of the built-in service into a new folder, named by date, in the one that the argument names or a person chooses. */
export async function backUp(needs: Needs, argument: unknown): Promise<Backup | undefined> {
  const isAsked = callerOf([argument]) === 'person';
  const parent = isAsked ? await askFolder() : namedFolder(isPlainObject(argument) ? argument.folder : undefined);
  if (parent === undefined) return undefined;
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('Backing up the built-in service'),
    cancellable: true,
  };
  const backup = await vscode.window.withProgress(options, (progress, token) => {
    let shown = 0;
    return runBackup(needs, parent, token, (part) => {
      progress.report({ increment: (part - shown) * 100 });
      shown = part;
    });
  });
  if (isAsked) void offerFolder(needs, backup);
  return backup;
}

async function askFolder(): Promise<string | undefined> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Back Up the Built-in Service'),
      openLabel: vscode.l10n.t('Back Up Here'),
      canSelectFolders: true,
      canSelectFiles: false,
    })) ?? [];
  return folder?.fsPath;
}

function namedFolder(folder: unknown): string {
  if (typeof folder === 'string' && isAbsolute(folder)) return folder;
  throw new TrackerError('input', vscode.l10n.t('Pass the absolute path of a folder as { folder }.'));
}

async function offerFolder({ messages }: Needs, { folder, missing }: Backup): Promise<void> {
  const show = vscode.l10n.t('Show Folder');
  const done =
    missing === 0
      ? vscode.l10n.t('Backed up to {0}.', folder)
      : vscode.l10n.t('Backed up to {0}, without {1} attached files that were missing.', folder, missing);
  if ((await messages.info(done, show)) !== show) return;
  await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(folder));
}

/**
 * Has a process of the service copy its data, while the one that serves goes on. It leaves nothing when it is canceled, or when this
 * window goes.
 * @throws TrackerError
 */
async function runBackup(
  { script, log }: Needs,
  parent: string,
  token: vscode.CancellationToken,
  onProgress: (part: number) => void,
): Promise<Backup> {
  const { dataFolder } = builtInSettings();
  const args = ['backup', parent, '--dated', '--embedded', '--json'];
  const data = dataFolder === '' ? [] : ['--data', dataFolder];
  const child = spawn(process.execPath, [script, ...args, ...data], {
    env: serviceEnvironment(process.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  child.stdin.on('error', () => undefined);
  const cancel = token.onCancellationRequested(() => child.stdin.end());
  let lastWords = '';
  createInterface(child.stderr).on('line', (line) => {
    const { progress, error } = fieldsOf(line);
    if (typeof progress === 'number') onProgress(progress);
    else lastWords = typeof error === 'string' ? error : line;
  });
  try {
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (token.isCancellationRequested && child.exitCode !== 0) {
      throw new TrackerError('cancelled', vscode.l10n.t('Canceled.'));
    }
    if (child.exitCode === 0) return backupOf(output);
    log.error(`built-in service: no backup: ${lastWords}`);
    throw new TrackerError('input', sentenceOf(lastWords));
  } finally {
    cancel.dispose();
  }
}

function sentenceOf(lastWords: string): string {
  if (lastWords.startsWith('Could not find data in ')) return vscode.l10n.t('The built-in service has no data yet.');
  return lastWords === '' ? vscode.l10n.t('The built-in service could not be backed up.') : lastWords;
}

function backupOf(output: string): Backup {
  const { folder, files, missing } = fieldsOf(output);
  return { folder: String(folder), files: Number(files), missing: Number(missing) };
}
