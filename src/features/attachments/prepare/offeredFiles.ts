import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../../core/errors.ts';
import { isBelow } from '../../../core/ports/outgoingFiles.ts';
import type { UploadSource } from '../../../core/story/attachment.ts';
import { byteText } from '../../../host/shell/plainText.ts';
import { type Candidate, type Offered, type Ready, readyBytes, type Unusable } from './candidate.ts';

/** Files that are not on this machine's disk are read into memory, so there is a limit to them. */
export const MEMORY_LIMIT = 32 * 1024 * 1024;

/** As `candidateOf`. What goes through memory is looked at one after the other, so that one at a time is in it. */
export function candidatesOf(offered: readonly Offered[]): Promise<readonly Candidate[]> {
  let before: Promise<unknown> = Promise.resolve();
  const looks = offered.map((one) => {
    if (!(one instanceof vscode.Uri) || one.scheme === 'file') return candidateOf(one);
    const look = before.then(() => candidateOf(one));
    before = look;
    return look;
  });
  return Promise.all(looks);
}

/**
 * Looks at a file before anything is sent: whether it is one, can be read, and how large it is. One that a link leads out of the
 * folder `within` is none; without it, out of the folder of the workspace that it is in, or else out of its own. Never throws.
 */
export async function candidateOf(offered: Offered, within?: string): Promise<Candidate> {
  if (!(offered instanceof vscode.Uri)) return offered;
  try {
    if (offered.scheme === 'file') return await onDisk(offered, within);
    if (offered.scheme === 'untitled') return await unsaved(offered);
    return await elsewhere(offered);
  } catch (thrown) {
    return { kind: 'unusable', uri: offered, sentence: reasonOf(offered, thrown) };
  }
}

async function onDisk(uri: vscode.Uri, folder: string | undefined): Promise<Candidate> {
  const path = uri.fsPath;
  const found = await stat(path);
  const within = folder ?? (await boundsOf(uri));
  const real = await realpath(path);
  if (!isBelow(real, within)) return unusable(linkText(uri, within, real));
  if (found.isDirectory()) return { kind: 'folder', uri };
  if (!found.isFile()) return unusable(vscode.l10n.t('“{0}” is not a file.', nameOf(uri)));
  await readOneByte(path);
  const filename = nameOf(uri);
  const source = { kind: 'file', path, filename, within } as const;
  return { kind: 'ready', uri, filename, size: found.size, within, open: async () => source };
}

/** Where links may lead: what someone else put into a workspace must not take along what lies outside of it. */
async function boundsOf(uri: vscode.Uri): Promise<string> {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return realpath(folder?.uri.scheme === 'file' ? folder.uri.fsPath : dirname(uri.fsPath));
}

function linkText(uri: vscode.Uri, within: string, real: string): string {
  return vscode.l10n.t(
    '“{0}” links to {2}, outside the folder “{1}”. To attach that file, choose it directly.',
    ...[nameOf(uri), nameOf(vscode.Uri.file(within)), real],
  );
}

/** Rights alone do not tell: some files open and then refuse to be read. */
async function readOneByte(path: string): Promise<void> {
  // A file that has become a pipe in the meantime is not waited for.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    await file.read(Buffer.alloc(1), 0, 1, 0);
  } finally {
    await file.close();
  }
}

async function unsaved(uri: vscode.Uri): Promise<Candidate> {
  const document = await vscode.workspace.openTextDocument(uri);
  return { ...readyBytes(untitledName(document), new TextEncoder().encode(document.getText())), uri };
}

async function elsewhere(uri: vscode.Uri): Promise<Candidate> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  const name = nameOf(uri);
  if ((type & vscode.FileType.SymbolicLink) !== 0) {
    return unusable(vscode.l10n.t('“{0}” is a link. To attach its target, choose the target directly.', name));
  }
  if ((type & vscode.FileType.Directory) !== 0) return { kind: 'folder', uri };
  if (size > MEMORY_LIMIT) return tooLargeForMemory(name, size);
  const { byteLength } = await vscode.workspace.fs.readFile(uri);
  // Not every file system tells the size before.
  return byteLength > MEMORY_LIMIT ? tooLargeForMemory(name, byteLength) : virtual(uri, name, byteLength);
}

/** What is on no disk of this machine goes through memory; `size` in bytes. */
export function tooLargeForMemory(name: string, size: number): Unusable {
  const reason = vscode.l10n.t(
    '“{0}” is not on this machine and is too large to read into memory ({1}; the limit is {2}). Save it to disk and attach that file.',
    name,
    byteText(size),
    byteText(MEMORY_LIMIT),
  );
  return unusable(reason);
}

/** A file that only VS Code can read. */
export function virtual(uri: vscode.Uri, filename: string, size: number): Ready {
  return { kind: 'ready', uri, filename, size, open: () => readVirtual(uri, filename) };
}

/** @throws TrackerError `input` when it has become too large in the meantime. */
async function readVirtual(uri: vscode.Uri, filename: string): Promise<UploadSource> {
  refuseTooLarge(filename, (await vscode.workspace.fs.stat(uri)).size);
  const bytes = await vscode.workspace.fs.readFile(uri);
  refuseTooLarge(filename, bytes.byteLength);
  return { kind: 'bytes', bytes, filename };
}

function refuseTooLarge(filename: string, size: number): void {
  if (size > MEMORY_LIMIT) throw new TrackerError('input', tooLargeForMemory(filename, size).sentence);
}

function unusable(sentence: string): Unusable {
  return { kind: 'unusable', sentence };
}

function reasonOf(uri: vscode.Uri, thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOENT' || code === 'FileNotFound') return vscode.l10n.t('“{0}” no longer exists.', nameOf(uri));
  if (code === 'EACCES' || code === 'EPERM' || code === 'NoPermissions') {
    return vscode.l10n.t('Could not read “{0}”: permission denied.', nameOf(uri));
  }
  return vscode.l10n.t('Could not read “{0}”: {1}', nameOf(uri), messageOf(thrown));
}

/** Bytes that one drop may bring into memory. */
const DROP_LIMIT = 2 * MEMORY_LIMIT;

/**
 * Dropped files as they can be sent. Those without an address are read one after the other, as long as all of them together
 * are not too much for memory; how large one is shows only once it is read.
 */
export async function droppedBytes(files: readonly vscode.DataTransferFile[]): Promise<readonly Offered[]> {
  const offered: Offered[] = [];
  let bytes = 0;
  for (const file of files) {
    if (file.uri) offered.push(file.uri);
    else if (bytes >= DROP_LIMIT) offered.push(tooMany(file.name));
    else {
      const data = await file.data();
      bytes += data.byteLength;
      const isLarge = data.byteLength > MEMORY_LIMIT;
      offered.push(isLarge ? tooLargeForMemory(file.name, data.byteLength) : readyBytes(file.name, data));
    }
  }
  return offered;
}

function tooMany(name: string): Unusable {
  const sentence = vscode.l10n.t(
    'Could not read “{0}”. Files that are not on this machine can be dropped up to {1} at a time.',
    name,
    byteText(DROP_LIMIT),
  );
  return { kind: 'unusable', sentence };
}

interface LanguageContribution {
  readonly id?: unknown;
  readonly extensions?: unknown;
}

/** What to call a document that was never saved: as its tab does, with the extension of its language. */
export function untitledName({ uri, languageId }: vscode.TextDocument): string {
  const name = nameOf(uri);
  return /\.\w+$/.test(name) ? name : `${name}${extensionOf(languageId)}`;
}

function extensionOf(languageId: string): string {
  if (languageId === 'plaintext') return '.txt';
  const contributed = vscode.extensions.all.flatMap(({ packageJSON }): readonly LanguageContribution[] => {
    const languages: unknown = packageJSON?.contributes?.languages;
    return Array.isArray(languages) ? languages : [];
  });
  const found = contributed.find(({ id, extensions }) => id === languageId && Array.isArray(extensions));
  const [extension] = Array.isArray(found?.extensions) ? found.extensions : [];
  return typeof extension === 'string' && extension.startsWith('.') ? extension : '.txt';
}

/** The file's own name, without folders. */
export function nameOf(uri: vscode.Uri): string {
  return basename(uri.path) || uri.path;
}
