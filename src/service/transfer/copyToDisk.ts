import { constants } from 'node:fs';
import { copyFile, open, rename } from 'node:fs/promises';

/** A copy that has its name once it is complete and on disk for good. */
export async function copyToDisk(from: string, to: string): Promise<void> {
  const partial = `${to}.part`;
  await copyFile(from, partial, constants.COPYFILE_FICLONE);
  await syncFile(partial);
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
