import { randomUUID } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { copyFile, link, rename, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { messageOf, TrackerError } from '../../core/errors.ts';
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
  const disk = createWriteStream(part, { flags: 'wx' });
  let refused: Error | undefined;
  disk.once('error', (error) => {
    refused ??= error;
  });
  try {
    await pipeline(pieces, disk, signal ? { signal } : {});
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
      ? `There is a file “${name}” already.`
      : `“${name}” cannot be written: ${messageOf(thrown)}.`;
  return new TrackerError('input', text, { cause: thrown });
}
