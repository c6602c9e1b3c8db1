import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { TrackerError } from '../../core/errors.ts';
import { type FolderFile, type FolderFiles, isBelow } from '../../core/ports/outgoingFiles.ts';

/** What version control and package managers keep for themselves, and can be had again. */
const NOT_TAKEN = new Set(['.git', '.hg', '.svn', 'node_modules']);
/** Files, and names that are not taken, that one folder may hold. */
const MOST = 20_000;
/** Entries that are read of a folder at once. */
const AT_ONCE = 512;

/**
 * All files below a folder. Links are followed to files of the same folder only, never out of it and never to a folder, so that
 * nothing outside is taken along and no ring of links is walked. What is a file now may be a link when it is read: `openContents`
 * looks once more. @throws TrackerError `input` when the folder cannot be read, `cancelled`.
 */
export async function filesBelow(folder: string, signal?: AbortSignal, most = MOST): Promise<FolderFiles> {
  const top = await realpath(folder).catch((error: unknown) => {
    throw unreadable(basename(folder), error);
  });
  const files: FolderFile[] = [];
  const leftOut: string[] = [];
  const links: string[] = [];
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    if ((await realpath(join(top, below)).catch(() => '')) !== join(top, below)) {
      links.push(below);
      continue;
    }
    for await (const entry of entriesOf(folder, top, below)) {
      if (signal?.aborted) throw new TrackerError('cancelled', 'Canceled.');
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (NOT_TAKEN.has(entry.name)) leftOut.push(name);
      else if (entry.isDirectory()) waiting.push(name);
      else {
        const file = await fileAt(top, name, entry);
        if (file) files.push(file);
        else (entry.isSymbolicLink() ? links : leftOut).push(name);
      }
      if (files.length + leftOut.length + links.length + waiting.length > most) {
        return { folder: top, files: files.slice(0, most), leftOut, links, isCut: true };
      }
    }
  }
  const sorted = files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return { folder: top, files: sorted, leftOut: leftOut.toSorted(), links: links.toSorted(), isCut: false };
}

/** A few at a time, so that a folder of millions is left early. */
async function* entriesOf(folder: string, top: string, below: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(join(top, below), { bufferSize: AT_ONCE });
  } catch (error) {
    if (error instanceof TrackerError) throw error;
    throw unreadable(join(basename(folder), below), error);
  }
}

function unreadable(name: string, error: unknown): TrackerError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return new TrackerError('input', `Could not read the folder "${name}" (${code}).`, { cause: error });
}

/** Of a link what it leads to, where that is a file of the folder that would be taken by itself. */
async function fileAt(top: string, name: string, entry: Dirent): Promise<FolderFile | undefined> {
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  const path = entry.isFile() ? join(top, name) : await linkedFile(top, join(top, name));
  const facts = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return path !== undefined && facts?.isFile() ? { path, name, size: facts.size } : undefined;
}

async function linkedFile(top: string, link: string): Promise<string | undefined> {
  const path = await realpath(link).catch(() => undefined);
  if (path === undefined || !isBelow(path, top)) return undefined;
  return path
    .slice(top.length)
    .split(/[\\/]/)
    .some((part) => NOT_TAKEN.has(part))
    ? undefined
    : path;
}
