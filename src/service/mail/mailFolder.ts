import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../ground/errors.ts';
import { fileSystemNow } from '../ground/moments.ts';

const DAY = 24 * 60 * 60 * 1000;

/** As mails are called while they are written. */
const DRAFT = /^\.[0-9a-f]{16}$/;

/**
 * Writes a mail as a file that mail programs open, for its owner only; the same mail to the same file. Complete and on disk when
 * this resolves.
 */
export async function writeMailFile(folder: string, name: string, mail: Buffer): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  const draft = join(folder, `.${randomBytes(8).toString('hex')}`);
  try {
    await writeOwn(draft, mail);
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => undefined);
    throw error;
  }
  return path;
}

async function writeOwn(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

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
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}
