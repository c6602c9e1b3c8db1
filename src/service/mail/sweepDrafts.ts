import { readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileSystemNow } from '../ground/moments.ts';

const DAY = 24 * 60 * 60 * 1000;

/** As mails are called while they are written. */
const DRAFT = /^\.[0-9a-f]{16}$/;

/** Removes drafts older than a day by the clock of the file system: what a process left that was killed while it wrote a mail. */
export async function sweepDrafts(folder: string): Promise<void> {
  const names = (await ifThere(readdir(folder))) ?? [];
  const drafts = names.filter((name) => DRAFT.test(name));
  if (drafts.length === 0) return;
  const now = await fileSystemNow(folder);
  for (const path of drafts.map((name) => join(folder, name))) {
    const found = await ifThere(stat(path));
    if (found && now - found.mtimeMs > DAY) await ifThere(unlink(path));
  }
}

/** Undefined where there were no mails yet, or another process was quicker. */
function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
}
