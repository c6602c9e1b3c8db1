import { constants, rmSync } from 'node:fs';
import { chmod, copyFile, open, rename, rm } from 'node:fs/promises';
import { constants as system } from 'node:os';

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

/** Does work that makes a file or folder under a name it does not keep; nothing is left there, also when a signal ends the process. */
export async function whilePartial<T>(partial: string, work: () => Promise<T>): Promise<T> {
  const abandon = (signal: (typeof SIGNALS)[number]): void => {
    rmSync(partial, { recursive: true, force: true });
    process.exit(128 + system.signals[signal]);
  };
  for (const signal of SIGNALS) process.once(signal, abandon);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, abandon);
    await rm(partial, { recursive: true, force: true });
  }
}
