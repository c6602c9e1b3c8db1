import { mkdtemp, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Milliseconds by which the clocks of several machines may differ before what they wrote down is taken for wrong. */
export const CLOCK_SKEW = 60_000;

/**
 * A stored moment as it is believed `now`: one that lies further ahead than the longest pause there is (`furthest`, milliseconds) was
 * written by a clock that was ahead for a while, and is taken for now, so that nothing waits until that clock is right.
 */
export function believed(moment: number, now: number, furthest = 0): number {
  return moment > now + furthest ? now : moment;
}

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
