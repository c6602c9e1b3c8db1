import * as vscode from 'vscode';
import { isCancelled } from '../../../core/errors.ts';
import type { OutgoingFiles } from '../../../core/ports/outgoingFiles.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import type { Candidate, Folder } from './candidate.ts';
import {
  askAboutFolders,
  type FoundFolder,
  filesOf,
  folderSentence,
  foundFolder,
  linkSentences,
  unreadableFolder,
} from './folders.ts';
import { newNames } from './newNames.ts';
import type { Caller, Prepared, PrepareNeeds, Wishes } from './preparing.ts';

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
