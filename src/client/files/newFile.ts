import { randomUUID } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { copyFile, link, lstat, mkdtemp, open, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { MADE_FILES, MADE_FOLDER } from '../../core/ports/outgoingFiles.ts';
import { t } from '../../core/translation.ts';
import { codeOf } from '../network/networkError.ts';

/**
 * Writes a file that is there only once it is whole. Without `isReplacing` a file that is there by then stays. Throws
 * `TrackerError` `input` for what the disk refuses, and whatever the pieces throw.
 */
export async function writeNewFile(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  { signal, isReplacing = false }: { readonly signal?: AbortSignal | undefined; readonly isReplacing?: boolean },
): Promise<void> {
  const part = `${path}.${randomUUID().slice(0, 8)}.part`;
  let refused: Error | undefined;
  try {
    // Before anything is read: a file that was still being made when the pieces fail would be there after it was removed.
    const file = await open(part, 'wx');
    const disk = file.createWriteStream();
    disk.once('error', (error) => {
      refused ??= error;
    });
    await pipeline(pieces, disk, signal ? { signal } : {}).finally(() => file.close());
    if (isReplacing) await rename(part, path);
    else await moveBeside(part, path);
  } catch (thrown) {
    const isOfDisk = thrown === refused || isSystemError(thrown);
    throw isOfDisk && !(thrown instanceof TrackerError) && !signal?.aborted ? refusedBy(path, thrown) : thrown;
  } finally {
    await rm(part, { force: true });
  }
}

/** Some file systems have no links; a copy that refuses to replace does there. */
async function moveBeside(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
  } catch (thrown) {
    if (codeOf(thrown) === 'EEXIST') throw thrown;
    await copyFile(part, path, constants.COPYFILE_EXCL);
  }
}

function isSystemError(thrown: unknown): boolean {
  return thrown instanceof Error && 'syscall' in thrown && 'path' in thrown;
}

function refusedBy(path: string, thrown: unknown): TrackerError {
  const name = basename(path);
  const text =
    codeOf(thrown) === 'EEXIST'
      ? t('A file named “{0}” already exists.', name)
      : t('Could not write “{0}”: {1}.', name, messageOf(thrown));
  return new TrackerError('input', text, { cause: thrown });
}

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
