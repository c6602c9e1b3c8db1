import * as vscode from 'vscode';
import { isCancelled, messageOf, TrackerError } from '../../../core/errors.ts';
import { isNotTaken, type OutgoingFiles, ZIP_LIMIT } from '../../../core/ports/outgoingFiles.ts';
import type { Caller } from '../../../host/shell/commands.ts';
import { byteText } from '../../../host/shell/plainText.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import type { Candidate, Folder, FolderWish, Prepared, PrepareNeeds, Ready, Wishes } from './candidate.ts';
import { newNames } from './newNames.ts';
import { MEMORY_LIMIT, nameOf, virtual } from './offeredFiles.ts';

/** A folder with what is in it; `leftOut` and `links` name what is not taken along. */
interface FoundFolder {
  readonly name: string;
  readonly files: readonly Ready[];
  readonly leftOut: readonly string[];
  readonly links: readonly string[];
}

/** With the files of folders, as one archive for each folder or by themselves. */
export async function withFolders(
  { messages, outgoing }: PrepareNeeds,
  candidates: readonly Candidate[],
  now: Prepared,
  caller: Caller,
  wishes: Wishes,
): Promise<Prepared | undefined> {
  const folders = candidates.filter((one) => one.kind === 'folder');
  if (folders.length === 0) return now;
  const { files, leftOut } = now;
  if (caller === 'program' && !wishes.folders) return { ...now, leftOut: [...leftOut, ...folders.map(folderSentence)] };
  const { found, sentences } = await lookInto(outgoing, folders);
  const ask = (question: string, detail: string | undefined, ...answers: string[]) =>
    messages.ask(question, detail, ...answers);
  const wish = wishes.folders ?? (found.length === 0 ? 'leaveOut' : await askAboutFolders(ask, found));
  if (wish === undefined) return undefined;
  const taken = wish === 'leaveOut' ? [] : named(found).flatMap((folder) => filesOf(folder, wish));
  // Otherwise the question told.
  if (wishes.folders) for (const sentence of linkSentences(found)) messages.info(sentence);
  return { ...now, files: [...files, ...taken], leftOut: [...leftOut, ...sentences] };
}

/** Folders of one name from different places make archives of their own, and so need names of their own. */
function named(folders: readonly FoundFolder[]): readonly FoundFolder[] {
  const names = newNames(
    folders.map(({ name }) => name),
    [],
  );
  return folders.map((folder, index) => ({ ...folder, name: names[index] ?? folder.name }));
}

async function lookInto(outgoing: OutgoingFiles, folders: readonly Folder[]) {
  const found: FoundFolder[] = [];
  const sentences: string[] = [];
  await withDelayedProgress(vscode.l10n.t('Reading folders…'), async (signal) => {
    for (const folder of folders) {
      try {
        found.push(await foundFolder(outgoing, folder, signal));
      } catch (thrown) {
        if (isCancelled(thrown)) throw thrown;
        sentences.push(unreadableFolder(folder, thrown));
      }
    }
  });
  return { found, sentences };
}

/** @throws TrackerError `input` when it cannot be read, holds nothing or too much. */
async function foundFolder(outgoing: OutgoingFiles, { uri }: Folder, signal: AbortSignal): Promise<FoundFolder> {
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
async function askAboutFolders(
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
function linkSentences(folders: readonly FoundFolder[]): readonly string[] {
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
function filesOf({ name, files }: FoundFolder, wish: FolderWish): readonly Ready[] {
  if (wish === 'zip') return files.map((file) => ({ ...file, filename: `${name}/${file.filename}`, bundle: name }));
  const last = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const counts = Map.groupBy(files, ({ filename }) => last(filename));
  return files.map((file) => {
    const isOnly = counts.get(last(file.filename))?.length === 1;
    return { ...file, filename: isOnly ? last(file.filename) : file.filename.replaceAll('/', '_') };
  });
}

function folderSentence({ uri }: Folder): string {
  return vscode.l10n.t('“{0}” is a folder. Only files can be attached.', nameOf(uri));
}

function unreadableFolder({ uri }: Folder, thrown: unknown): string {
  if (thrown instanceof TrackerError) return thrown.message;
  return vscode.l10n.t('Could not read “{0}”: {1}', nameOf(uri), messageOf(thrown));
}

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
      else if (isNotTaken(entry) || (type !== vscode.FileType.File && type !== vscode.FileType.Directory)) {
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
