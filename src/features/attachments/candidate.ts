import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { UploadSource } from '../../core/attachment.ts';
import { messageOf } from '../../core/errors.ts';
import { byteText } from './byteText.ts';

/** A file that can be sent; `size` in bytes. */
export interface Ready {
  readonly kind: 'ready';
  readonly uri: vscode.Uri;
  readonly source: UploadSource;
  readonly size: number;
}

/** Something that cannot be sent; `sentence` says what it is and why. */
export interface Unusable {
  readonly kind: 'unusable';
  readonly uri: vscode.Uri;
  readonly sentence: string;
}

export type Candidate = Ready | Unusable;

/** Files that are not on this machine's disk are read into memory, so there is a limit to them. */
export const MEMORY_LIMIT = 32 * 1024 * 1024;

/** Looks at a file before anything is sent: whether it is one, can be read, and how large it is. Never throws. */
export async function candidateOf(uri: vscode.Uri): Promise<Candidate> {
  try {
    if (uri.scheme === 'file') return await onDisk(uri);
    if (uri.scheme === 'untitled') return await unsaved(uri);
    return await elsewhere(uri);
  } catch (thrown) {
    return unusable(uri, reasonOf(uri, thrown));
  }
}

async function onDisk(uri: vscode.Uri): Promise<Candidate> {
  const path = uri.fsPath;
  const found = await stat(path);
  if (found.isDirectory()) return unusable(uri, folderSentence(uri));
  if (!found.isFile()) return unusable(uri, vscode.l10n.t('“{0}” is not a file.', nameOf(uri)));
  await readOneByte(path);
  return { kind: 'ready', uri, source: { kind: 'file', path, filename: nameOf(uri) }, size: found.size };
}

/** Rights alone do not tell: some files open and then refuse to be read. */
async function readOneByte(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.read(Buffer.alloc(1), 0, 1, 0);
  } finally {
    await file.close();
  }
}

async function unsaved(uri: vscode.Uri): Promise<Candidate> {
  const document = await vscode.workspace.openTextDocument(uri);
  return inMemory(uri, new TextEncoder().encode(document.getText()));
}

async function elsewhere(uri: vscode.Uri): Promise<Candidate> {
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) return unusable(uri, folderSentence(uri));
  if (size > MEMORY_LIMIT) {
    const reason = vscode.l10n.t(
      '“{0}” is not on this machine and too large to be read into memory ({1}; the limit is {2}). Save it to disk and attach that file.',
      nameOf(uri),
      byteText(size),
      byteText(MEMORY_LIMIT),
    );
    return unusable(uri, reason);
  }
  return inMemory(uri, await vscode.workspace.fs.readFile(uri));
}

function inMemory(uri: vscode.Uri, bytes: Uint8Array): Ready {
  return { kind: 'ready', uri, source: { kind: 'bytes', bytes, filename: nameOf(uri) }, size: bytes.byteLength };
}

function unusable(uri: vscode.Uri, sentence: string): Unusable {
  return { kind: 'unusable', uri, sentence };
}

/** The file's own name, without folders. */
export function nameOf(uri: vscode.Uri): string {
  return basename(uri.path) || uri.path;
}

function folderSentence(uri: vscode.Uri): string {
  return vscode.l10n.t('“{0}” is a folder; only files can be attached.', nameOf(uri));
}

function reasonOf(uri: vscode.Uri, thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  if (code === 'ENOENT' || code === 'FileNotFound') return vscode.l10n.t('“{0}” is no longer there.', nameOf(uri));
  if (code === 'EACCES' || code === 'EPERM' || code === 'NoPermissions') {
    return vscode.l10n.t('“{0}” may not be read: permission denied.', nameOf(uri));
  }
  return vscode.l10n.t('“{0}” cannot be read: {1}', nameOf(uri), messageOf(thrown));
}
