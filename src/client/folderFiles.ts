import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { TrackerError } from '../core/errors.ts';
import type { FolderFile, FolderFiles } from '../core/outgoingFiles.ts';

/** What version control and package managers keep for themselves, and can be had again. */
const NOT_TAKEN = new Set(['.git', '.hg', '.svn', 'node_modules']);
const MOST = 20_000;

/**
 * All files below a folder, without links to folders, so that no ring of links is walked and nothing outside is taken along.
 * @throws TrackerError `input` when the folder cannot be read, `cancelled`.
 */
export async function filesBelow(folder: string, signal?: AbortSignal, most = MOST): Promise<FolderFiles> {
  const files: FolderFile[] = [];
  const leftOut: string[] = [];
  const waiting = [''];
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    for (const entry of await entriesOf(folder, below)) {
      if (signal?.aborted) throw new TrackerError('cancelled', 'Cancelled.');
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (NOT_TAKEN.has(entry.name)) leftOut.push(name);
      else if (entry.isDirectory()) waiting.push(name);
      else {
        const file = await fileAt(folder, name, entry);
        if (file) files.push(file);
        else leftOut.push(name);
      }
      if (files.length > most) return { files: files.slice(0, most), leftOut, isCut: true };
    }
  }
  return { files: files.toSorted((one, other) => (one.name < other.name ? -1 : 1)), leftOut, isCut: false };
}

async function entriesOf(folder: string, below: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(join(folder, below), { withFileTypes: true });
  } catch (error) {
    const name = join(basename(folder), below);
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new TrackerError('input', `The folder "${name}" cannot be read (${code}).`, { cause: error });
  }
}

async function fileAt(folder: string, name: string, entry: Dirent): Promise<FolderFile | undefined> {
  if (!entry.isFile() && !entry.isSymbolicLink()) return undefined;
  const path = join(folder, name);
  const facts = await stat(path).catch(() => undefined);
  return facts?.isFile() ? { path, name, size: facts.size } : undefined;
}
