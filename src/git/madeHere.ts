import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SimpleGit } from 'simple-git';

const MOST_STEPS = 2000;

/** Steps of a reflog that make a commit; to check one out, to reset or to fast-forward to it makes none. */
const MAKES = /^(?:commit|cherry-pick|revert|am|merge|pull|rebase)\b/;
const MAKES_NOT = /: fast-forward$|\((?:start|finish|abort)\)/i;

/**
 * Which of these commits were made in this working tree since `since`, whatever their dates say: somebody may have set them
 * back. The reflog tells what was made here, and when is told by the file that Git wrote for it; one that was packed since
 * is taken for history.
 */
export async function madeHere(
  git: SimpleGit,
  commonFolder: string,
  hashes: readonly string[],
  since: number,
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const made = await madeInReflog(git);
  const candidates = hashes.filter((hash) => made.has(hash));
  const times = await Promise.all(candidates.map((hash) => writtenAt(commonFolder, hash)));
  return new Set(candidates.filter((_, index) => (times[index] ?? 0) >= since));
}

async function madeInReflog(git: SimpleGit): Promise<ReadonlySet<string>> {
  const fixed = ['log', '--walk-reflogs', '--format=tformat:%H%x00%gs', '--no-show-signature', '--no-color'];
  const answer = await git.raw([...fixed, `--max-count=${MOST_STEPS}`, '--end-of-options', 'HEAD', '--']);
  const steps = answer.split('\n').map((line) => line.split('\0'));
  return new Set(
    steps.flatMap(([hash, step = '']) => (hash && MAKES.test(step) && !MAKES_NOT.test(step) ? [hash] : [])),
  );
}

async function writtenAt(commonFolder: string, hash: string): Promise<number> {
  const file = join(commonFolder, 'objects', hash.slice(0, 2), hash.slice(2));
  return stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
