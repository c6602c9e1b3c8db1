import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What the file system of a folder takes for now, in milliseconds since the epoch. The age of a file is told by this clock, which also
 * dated the file: that of a process, or of another machine on the same folder, may be days off.
 */
export async function fileSystemNow(folder: string): Promise<number> {
  const probe = await mkdtemp(join(folder, '.now-'));
  try {
    return (await stat(probe)).mtimeMs;
  } finally {
    await rmdir(probe);
  }
}
