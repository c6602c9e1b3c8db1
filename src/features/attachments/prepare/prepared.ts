import * as vscode from 'vscode';
import { isCancelled } from '../../../core/errors.ts';
import type { OutgoingFiles, ZipEntry } from '../../../core/ports/outgoingFiles.ts';
import type { Caller } from '../../../host/shell/commands.ts';
import { attachmentLimit } from '../../../host/shell/featureSettings.ts';
import type { Messages } from '../../../host/shell/messages.ts';
import { byteText } from '../../../host/shell/plainText.ts';
import { ByteCount } from '../send/pace.ts';
import { withDelayedProgress } from '../send/withDelayedProgress.ts';
import {
  type Candidate,
  type Folder,
  type Offered,
  oddity,
  type Prepared,
  type PrepareNeeds,
  type Ready,
  type Wishes,
} from './candidate.ts';
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
import { candidatesOf } from './offeredFiles.ts';
import { withoutSecrets } from './withoutSecrets.ts';

/** What of the things offered is to be sent, after all questions about them; `undefined` when the person turned away. */
export async function prepared(
  needs: PrepareNeeds,
  offered: readonly Offered[],
  caller: Caller,
  wishes: Wishes = {},
): Promise<Prepared | undefined> {
  try {
    const candidates = await candidatesOf(offered);
    const steps = [
      (now: Prepared) => withFolders(needs, candidates, now, caller, wishes),
      async (now: Prepared) => withinLimit(now),
      (now: Prepared) => withoutEmpty(needs.messages, now, caller, wishes),
      (now: Prepared) => withoutSecrets(needs, now, caller, wishes),
      (now: Prepared) => zipped(needs.outgoing, now),
    ];
    let now: Prepared | undefined = {
      files: candidates.filter((one) => one.kind === 'ready'),
      leftOut: candidates.flatMap((one) => (one.kind === 'unusable' ? [one.sentence] : [])),
      unread: candidates.flatMap((one) => (one.kind === 'unusable' && one.uri ? [one.uri] : [])),
      allowed: wishes.allowed ?? new Set(),
    };
    for (const step of steps) now = now && (await step(now));
    return now;
  } catch (thrown) {
    if (caller === 'person' && isCancelled(thrown)) return undefined;
    throw thrown;
  }
}

/** Without what is larger than the settings allow; an archive is looked at when it is there. */
function withinLimit(now: Prepared): Prepared {
  const { files, leftOut } = now;
  const isOver = (file: Ready) => file.bundle === undefined && overLimit(file) !== undefined;
  const sentences = files.filter(isOver).flatMap((file) => overLimit(file) ?? []);
  return { ...now, files: files.filter((file) => !isOver(file)), leftOut: [...leftOut, ...sentences] };
}

/** Says that a file is larger than the settings allow; `undefined` when it is not. */
function overLimit({ filename, size }: Ready): string | undefined {
  const limit = attachmentLimit();
  if (size <= limit) return undefined;
  return vscode.l10n.t(
    '“{0}” is too large ({1}). The setting “storyTracker.attachmentLimit” allows {2}.',
    filename,
    byteText(size),
    byteText(limit),
  );
}

/** A person is asked about empty files, but for those of an archive; for a program they are left out. */
async function withoutEmpty(
  messages: Messages,
  now: Prepared,
  caller: Caller,
  { allowed }: Wishes,
): Promise<Prepared | undefined> {
  const { files, leftOut } = now;
  const isEmpty = (file: Ready) => file.size === 0 && file.bundle === undefined && !allowed?.has(oddity(file, 'empty'));
  const empty = files.filter(isEmpty);
  if (empty.length === 0) return now;
  const full = files.filter((file) => !isEmpty(file));
  if (caller === 'program') {
    const sentences = empty.map(({ filename }) => vscode.l10n.t('“{0}” is empty.', filename));
    return { ...now, files: full, leftOut: [...leftOut, ...sentences] };
  }
  const answer = await askAboutEmpty(messages, empty);
  if (answer !== 'attach') return answer && { ...now, files: full };
  return { ...now, allowed: new Set([...now.allowed, ...empty.map((file) => oddity(file, 'empty'))]) };
}

async function askAboutEmpty(messages: Messages, empty: readonly Ready[]): Promise<'attach' | 'leaveOut' | undefined> {
  const names = empty.map(({ filename }) => `“${filename}”`).join(', ');
  const question =
    empty.length === 1 ? vscode.l10n.t('{0} is empty.', names) : vscode.l10n.t('These files are empty: {0}.', names);
  const attachAnyway = vscode.l10n.t('Attach Anyway');
  const leaveOut = vscode.l10n.t('Leave Out');
  const answer = await messages.ask(question, undefined, attachAnyway, leaveOut);
  if (answer === attachAnyway) return 'attach';
  return answer === leaveOut ? 'leaveOut' : undefined;
}

/** Packs files that belong to an archive into it; the archive takes their place. */
async function zipped(outgoing: OutgoingFiles, now: Prepared): Promise<Prepared> {
  const { files, leftOut } = now;
  const bundles = Map.groupBy(files, ({ bundle }) => bundle);
  const made: Ready[] = [];
  const over: string[] = [];
  try {
    for (const [name, parts] of bundles) {
      if (name === undefined) continue;
      const archive = await archiveOf(outgoing, name, parts);
      made.push(archive);
      over.push(...[overLimit(archive)].filter((sentence) => sentence !== undefined));
    }
  } catch (thrown) {
    for (const archive of made) await archive.discard?.();
    throw thrown;
  }
  for (const archive of made) if (overLimit(archive) !== undefined) await archive.discard?.();
  const fitting = made.filter((archive) => overLimit(archive) === undefined);
  return { ...now, files: [...(bundles.get(undefined) ?? []), ...fitting], leftOut: [...leftOut, ...over] };
}

async function archiveOf(outgoing: OutgoingFiles, name: string, parts: readonly Ready[]): Promise<Ready> {
  const filename = `${name}.zip`;
  const entries: ZipEntry[] = [];
  for (const part of parts) {
    entries.push({ source: { ...(await part.open()), filename: part.filename }, size: part.size });
  }
  const count = new ByteCount(parts.reduce((sum, { size }) => sum + size, 0));
  const { path, size } = await withDelayedProgress(vscode.l10n.t('Packing {0}', filename), (signal, tell) => {
    const onProgress = (done: number) => {
      const { sent, total, increment } = count.count(filename, done);
      if (increment > 0) tell(vscode.l10n.t('{0} of {1}', byteText(sent), byteText(total)), increment);
    };
    return outgoing.zip(entries, { signal, onProgress });
  });
  const open = async () => ({ kind: 'file', path, filename }) as const;
  return { kind: 'ready', filename, size, open, discard: () => outgoing.discard(path) };
}

/** With the files of folders, as one archive for each folder or by themselves. */
async function withFolders(
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
