import { constants } from 'node:fs';
import { chmod, copyFile, open, rename } from 'node:fs/promises';

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
