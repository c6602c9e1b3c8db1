import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/ports/tracker.ts';

/** A file that belongs to a story, by the number of that in the file of stories. */
export interface StoryFile {
  readonly externalId: string;
  readonly path: string;
  readonly filename: string;
}

const STORY = /^\d{1,15}$/;
const MOST_FILES = 100_000;
const TRIES = 5;
const BUSY_MS = 2_000;

/** The one file of stories in a folder. */
export async function storiesIn(folder: string): Promise<string> {
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:csv|xml)$/i.test(entry.name))
    .map(({ name }) => name);
  const [only, ...others] = names;
  if (only !== undefined && others.length === 0) return join(folder, only);
  const text =
    only === undefined
      ? vscode.l10n.t('There is no .csv or .xml file in “{0}”.', basename(folder))
      : vscode.l10n.t('There are several .csv or .xml files in “{0}”. Choose one of them.', basename(folder));
  throw new TrackerError('input', text);
}

/** The files in the folders that are called like stories; links are left out, wherever they lead. */
export async function storyFilesIn(
  folder: string,
): Promise<{ readonly files: readonly StoryFile[]; readonly links: number }> {
  const files: StoryFile[] = [];
  let links = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!STORY.test(entry.name)) continue;
    if (entry.isSymbolicLink()) links += 1;
    if (!entry.isDirectory()) continue;
    for (const file of await readdir(join(folder, entry.name), { withFileTypes: true })) {
      if (file.isSymbolicLink()) links += 1;
      if (file.isFile() && files.length < MOST_FILES)
        files.push({ externalId: entry.name, path: join(folder, entry.name, file.name), filename: file.name });
    }
  }
  return { files, links };
}

export async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

interface Sending {
  readonly tracker: Tracker;
  readonly projectId: number;
  readonly folder: string;
  readonly files: readonly StoryFile[];
  readonly signal: AbortSignal | undefined;
  readonly onFile: (index: number, filename: string) => void;
}

export interface SentFiles {
  readonly attached: number;
  /** A sentence for each that was not. */
  readonly failed: readonly string[];
}

/** Attaches files to the stories that were imported, one after the other; those that a story has already are not sent again. */
export async function sendFiles({ tracker, projectId, folder, files, signal, onFile }: Sending): Promise<SentFiles> {
  const numbers = [...new Set(files.map(({ externalId }) => externalId))];
  const known = await tracker.importedIds(projectId, numbers);
  const ids = new Map(known.map(({ externalId, storyId }) => [externalId, storyId]));
  const had = new Map<number, ReadonlySet<string>>();
  const failed: string[] = [];
  let attached = 0;
  for (const [index, { externalId, path, filename }] of files.entries()) {
    if (signal?.aborted) throw new TrackerError('cancelled', 'Canceled.');
    onFile(index, filename);
    const storyId = ids.get(externalId);
    if (storyId === undefined) {
      failed.push(vscode.l10n.t('{0}: story {1} is not among those that were imported.', filename, externalId));
      continue;
    }
    const story = { projectId, storyId };
    const names = had.get(storyId) ?? new Set((await tracker.getStory(story)).attachments.map((one) => one.filename));
    had.set(storyId, names);
    if (names.has(filename)) continue;
    const source = { kind: 'file', path, filename, within: folder } as const;
    try {
      await whenNotBusy(() => tracker.uploadAttachment(story, source, signal ? { signal } : {}));
      attached += 1;
    } catch (thrown) {
      if (signal?.aborted) throw thrown;
      failed.push(`${filename}: ${messageOf(thrown)}`);
    }
  }
  return { attached, failed };
}

async function whenNotBusy<T>(send: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await send();
    } catch (thrown) {
      if (!(thrown instanceof TrackerError) || thrown.kind !== 'busy' || tried === TRIES) throw thrown;
      await sleep(thrown.retryAfter ?? BUSY_MS);
    }
  }
}
