import { constants, existsSync, rmSync } from 'node:fs';
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises';
import { constants as system } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../../core/errors.ts';
import { UsageError } from '../ground/errors.ts';

/** A copy for its owner only, which is on disk for good when this resolves. What was read-only is not any more. */
export async function copyForOwner(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE);
  await chmod(to, 0o600);
  await syncFile(to);
}

/** The same, and it has its name once it is complete. */
export async function copyToDisk(from: string, to: string): Promise<void> {
  const partial = `${to}.part`;
  await copyForOwner(from, partial);
  await rename(partial, to);
}

export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** Names in a folder are on disk for good when this resolves; Windows sees to that itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Milliseconds that a step has to end when a signal ends the process. */
const LAST_STEP = 1_000;
/** Milliseconds without a sign of further steps, which can go on after one of them has failed. */
const QUIET_MS = 50;

/** Does work that makes a file or folder under a name it does not keep; nothing is left there, also when a signal ends the process. */
export async function whilePartial<T>(partial: string, work: () => Promise<T>): Promise<T> {
  const remove = (): void => rmSync(partial, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  let done: Promise<T> | undefined;
  let ending: Promise<never> | undefined;
  const abandon = async (signal: (typeof SIGNALS)[number]): Promise<never> => {
    try {
      remove();
      // The step that was under way may have made it once more.
      await Promise.race([done?.catch(() => undefined), sleep(LAST_STEP)]);
      for (const end = performance.now() + LAST_STEP; performance.now() < end; ) {
        remove();
        await sleep(QUIET_MS);
        if (!existsSync(partial)) break;
      }
      remove();
    } catch (error) {
      process.stderr.write(`Could not remove ${partial}, which is not complete: ${messageOf(error)}\n`);
    }
    return process.exit(128 + system.signals[signal]);
  };
  const end = (signal: (typeof SIGNALS)[number]): void => {
    ending ??= abandon(signal);
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    done = work();
    return await done;
  } finally {
    // What fails because of the signal is nothing to tell of.
    await ending;
    for (const signal of SIGNALS) process.off(signal, end);
    await rm(partial, { recursive: true, force: true });
  }
}

/**
 * What to throw where `target` could not be written: a sentence with what is in the way and the mend, or the error itself where that is
 * not known. `option` says on the command line where to write.
 */
export function writeTrouble(error: unknown, target: string, option: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new Error(`No space is left for ${target}. Free some, or pass a place on another disk with ${option}.`);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      if (!('path' in error) || !String(error.path).startsWith(target)) return error;
      return new Error(
        `This user is not allowed to write ${target}. Change its permissions, or pass another place with ${option}.`,
      );
    case 'ENOENT':
      return new UsageError(`The folder of ${target} does not exist. Create it, or pass another place with ${option}.`);
    case 'EEXIST':
    case 'ENOTDIR':
      return new UsageError(`${target} is not a folder, or is not in one. Pass another place with ${option}.`);
    default:
      return error;
  }
}
