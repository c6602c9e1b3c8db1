import { stat } from 'node:fs/promises';
import type { SimpleGit } from 'simple-git';
import type { SeenTips } from './seenTips.ts';

interface Places {
  repositories(): Promise<readonly string[]>;
  seen(repository: string): Promise<SeenTips | undefined>;
}

/** Few of the commits where a repository stood are enough to know it by. */
const MOST_TIPS = 5;

async function isGone(folder: string): Promise<boolean> {
  return stat(folder).then(
    () => false,
    (thrown: unknown) => thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT',
  );
}

async function hasAll(git: SimpleGit, hashes: readonly string[]): Promise<boolean> {
  if (hashes.length === 0) return false;
  const answer = await git.raw(['rev-list', '--no-walk', '--ignore-missing', '--end-of-options', ...hashes, '--']);
  const present = new Set(answer.split('\n'));
  return hashes.every((hash) => present.has(hash));
}

/** Where a repository was that has been moved or renamed: nothing is left there, and where it stood last is in this one. */
export async function formerPlace(git: SimpleGit, places: Places): Promise<string | undefined> {
  for (const place of await places.repositories()) {
    if (!(await isGone(place))) continue;
    const tips = (await places.seen(place))?.tips ?? [];
    if (await hasAll(git, [...new Set(tips.slice(0, MOST_TIPS).map(({ hash }) => hash))])) return place;
  }
  return undefined;
}
