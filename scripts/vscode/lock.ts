import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs `work` while the folder `path` is ours; waits for another living process that holds it. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await taken(path))) {
    if (await isStale(path)) await rm(path, { recursive: true, force: true });
    else await sleep(500);
  }
  try {
    return await work();
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

/** Makes the folder `path` ours, unless somebody has it; our process's number is in it. */
export async function taken(path: string): Promise<boolean> {
  try {
    await mkdir(path);
  } catch {
    return false;
  }
  await writeFile(join(path, 'pid'), String(process.pid));
  return true;
}

/** Whether the holder ended without letting go; a lock without a number yet is being taken right now. */
async function isStale(path: string): Promise<boolean> {
  const pid = Number(await readFile(join(path, 'pid'), 'utf8').catch(() => ''));
  return pid > 0 && !isAlive(pid);
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
