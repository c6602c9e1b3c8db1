import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../../core/errors.ts';
import { type OutgoingFiles, ZIP_LIMIT } from '../../../core/ports/outgoingFiles.ts';
import { byteText } from '../../../host/shell/plainText.ts';
import type { Folder, FolderWish, Ready } from './candidate.ts';
import { MEMORY_LIMIT, nameOf, virtual } from './offeredFiles.ts';

/** A folder with what is in it; `leftOut` and `links` name what is not taken along. */
export interface FoundFolder {
  readonly name: string;
  readonly files: readonly Ready[];
  readonly leftOut: readonly string[];
  readonly links: readonly string[];
}

/** @throws TrackerError `input` when it cannot be read, holds nothing or too much. */
export async function foundFolder(outgoing: OutgoingFiles, { uri }: Folder, signal: AbortSignal): Promise<FoundFolder> {
  const { files, leftOut, links, isCut } =
    uri.scheme === 'file' ? await filesOnDisk(outgoing, uri, signal) : await virtualFiles(uri, signal);
  const name = nameOf(uri);
  if (isCut) throw new TrackerError('input', vscode.l10n.t('The folder “{0}” is too large to attach.', name));
  if (files.length === 0) {
    const text = vscode.l10n.t('The folder “{0}” contains no files.', name);
    throw new TrackerError('input', [text, ...linksText(links)].join(' '));
  }
  return { name, files, leftOut, links };
}

async function filesOnDisk(outgoing: OutgoingFiles, uri: vscode.Uri, signal: AbortSignal) {
  const { folder, files, ...others } = await outgoing.filesBelow(uri.fsPath, { signal });
  const ready = files.map(
    ({ path, name, size }): Ready => ({
      ...{ kind: 'ready', filename: name, size, uri: vscode.Uri.file(path), within: folder },
      open: async () => ({ kind: 'file', path, filename: name, within: folder }),
    }),
  );
  return { ...others, files: ready };
}

/** What a person wants done with folders; `leaveOut` them, or `undefined`: nothing is to be attached at all. */
export async function askAboutFolders(
  ask: (question: string, detail: string | undefined, ...answers: string[]) => Promise<string | undefined>,
  folders: readonly FoundFolder[],
): Promise<FolderWish | 'leaveOut' | undefined> {
  const files = folders.flatMap((folder) => folder.files);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const [first] = folders;
  const size = byteText(bytes);
  const question =
    folders.length > 1
      ? vscode.l10n.t('{0} folders: {1} files, {2}.', folders.length, files.length, size)
      : files.length === 1
        ? vscode.l10n.t('“{0}” is a folder: 1 file, {1}.', first?.name ?? '', size)
        : vscode.l10n.t('“{0}” is a folder: {1} files, {2}.', first?.name ?? '', files.length, size);
  const zip = vscode.l10n.t('Attach as .zip');
  const each =
    files.length === 1 ? vscode.l10n.t('Attach the File') : vscode.l10n.t('Attach the {0} Files', files.length);
  const leaveOut = vscode.l10n.t('Leave Out');
  const fitsZip = folders.every(fitsOneZip);
  const answer = await ask(question, leftOutText(folders), ...(fitsZip ? [zip] : []), each, leaveOut);
  if (answer === zip) return 'zip';
  if (answer === each) return 'files';
  return answer === leaveOut ? 'leaveOut' : undefined;
}

function fitsOneZip({ files }: FoundFolder): boolean {
  return files.length <= ZIP_LIMIT.files && files.reduce((sum, { size }) => sum + size, 0) <= ZIP_LIMIT.bytes;
}

const NAMED = 10;

function leftOutText(folders: readonly FoundFolder[]): string | undefined {
  const names = folders.flatMap(({ leftOut }) => leftOut);
  const others = names.length > 0 ? [vscode.l10n.t('Not included: {0}.', someOf(names))] : [];
  return [...others, ...linksText(folders.flatMap(({ links }) => links))].join('\n') || undefined;
}

/** A sentence for each folder with links that are not followed. */
export function linkSentences(folders: readonly FoundFolder[]): readonly string[] {
  return folders.flatMap(({ links }) => linksText(links));
}

function linksText(links: readonly string[]): readonly string[] {
  if (links.length === 0) return [];
  return [vscode.l10n.t('Links that lead out of a folder or to another folder are not followed: {0}.', someOf(links))];
}

function someOf(names: readonly string[]): string {
  return names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '');
}

/** The folder's files as they are to be sent: as parts of one archive, or each by itself. */
export function filesOf({ name, files }: FoundFolder, wish: FolderWish): readonly Ready[] {
  if (wish === 'zip') return files.map((file) => ({ ...file, filename: `${name}/${file.filename}`, bundle: name }));
  const last = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const counts = Map.groupBy(files, ({ filename }) => last(filename));
  return files.map((file) => {
    const isOnly = counts.get(last(file.filename))?.length === 1;
    return { ...file, filename: isOnly ? last(file.filename) : file.filename.replaceAll('/', '_') };
  });
}

export function folderSentence({ uri }: Folder): string {
  return vscode.l10n.t('“{0}” is a folder. Only files can be attached.', nameOf(uri));
}

export function unreadableFolder({ uri }: Folder, thrown: unknown): string {
  if (thrown instanceof TrackerError) return thrown.message;
  return vscode.l10n.t('Could not read “{0}”: {1}', nameOf(uri), messageOf(thrown));
}

const NOT_TAKEN = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** Names that are looked at in one folder. */
const MOST = 20_000;

/** All files below a folder that only VS Code can read, no link among them; `isCut` when together they are too much. */
async function virtualFiles(folder: vscode.Uri, signal: AbortSignal) {
  const files: Ready[] = [];
  const leftOut: string[] = [];
  const links: string[] = [];
  let [bytes, looked] = [0, 0];
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const at = below === '' ? folder : vscode.Uri.joinPath(folder, below);
    for (const [entry, type] of await vscode.workspace.fs.readDirectory(at)) {
      if (signal.aborted) throw new TrackerError('cancelled', 'Canceled.');
      const name = below === '' ? entry : `${below}/${entry}`;
      const uri = vscode.Uri.joinPath(folder, name);
      looked += 1;
      if (looked > MOST) return { files, leftOut, links, isCut: true };
      if ((type & vscode.FileType.SymbolicLink) !== 0) links.push(name);
      else if (NOT_TAKEN.has(entry) || (type !== vscode.FileType.File && type !== vscode.FileType.Directory)) {
        leftOut.push(name);
      } else if (type === vscode.FileType.Directory) waiting.push(name);
      else {
        const { size } = await vscode.workspace.fs.stat(uri);
        bytes += size;
        if (bytes > MEMORY_LIMIT) return { files, leftOut, links, isCut: true };
        files.push(virtual(uri, name, size));
      }
    }
  }
  return { files, leftOut, links, isCut: false };
}
