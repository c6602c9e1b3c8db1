import { StoredFoundCommits } from '../../../src/sync/commits/foundCommits.ts';
import type { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';

/** Never says later that its window is still there, which would make the file again after a test has removed it. */
export function foundCommitsIn(
  file: ReplicaFile,
  { process = 1, isRunning = (_process: number): boolean => true } = {},
): StoredFoundCommits {
  return new StoredFoundCommits({ file, now: Date.now, process, isRunning, wait: () => new Promise(() => undefined) });
}
