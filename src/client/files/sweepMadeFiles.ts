import type { Stats } from 'node:fs';
import { lstat, mkdtemp, readdir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { MADE_FILES, MADE_FOLDER } from '../../core/ports/outgoingFiles.ts';

const DAY = 86_400_000;
const names: readonly string[] = Object.values(MADE_FILES);

/**
 * Removes what was made to be sent and was left behind in `folder`, as by a window that was killed, once it is a day old by the
 * clock of the file system. Only what is this user's own and looks as we make it; links are neither followed nor removed.
 */
export async function sweepMadeFiles(folder: string): Promise<void> {
  const found = (await readdir(folder)).filter((name) => name.startsWith(MADE_FOLDER));
  if (found.length === 0) return;
  const now = await fileSystemNow(folder);
  const swept = await Promise.allSettled(found.map((name) => sweep(join(folder, name), now)));
  const failed = swept.find((one) => one.status === 'rejected' && !isGone(one.reason));
  if (failed?.status === 'rejected') throw failed.reason;
}

/** The clock that dated the files; that of this process may be days off. */
async function fileSystemNow(folder: string): Promise<number> {
  const probe = await mkdtemp(join(folder, 'story-tracker-now-'));
  const { mtimeMs } = await lstat(probe);
  await rmdir(probe);
  return mtimeMs;
}

async function sweep(made: string, now: number): Promise<void> {
  const facts = await lstat(made);
  if (!facts.isDirectory() || !isOwn(facts) || now - facts.mtimeMs < DAY) return;
  const inside = await readdir(made);
  if (inside.some((name) => !names.includes(name))) return;
  for (const name of inside) {
    const file = join(made, name);
    if (!(await lstat(file)).isFile()) return;
    await unlink(file);
  }
  await rmdir(made);
}

/** Where there are no user ids, the temporary folder is the user's own. */
function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || process.getuid() === uid;
}

/** Another window may be sweeping, too. */
function isGone(reason: unknown): boolean {
  return reason instanceof Error && 'code' in reason && reason.code === 'ENOENT';
}
