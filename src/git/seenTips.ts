import { stat } from 'node:fs/promises';
import type { SimpleGit } from 'simple-git';

/** The commit that each ref stands at; `HEAD` and full names of local branches. */
export type Tips = ReadonlyMap<string, string>;

/** Where a repository stood when it was last looked at. */
export interface SeenTips {
  /** When it was first looked at, in milliseconds since the epoch: what was committed before is history. */
  readonly firstAt: number;
  /** The latest first. */
  readonly tips: readonly { readonly ref: string; readonly hash: string }[];
}

const MOST_WITHOUT = 100;

/** Read from lines of a hash and the name of its ref. Other lines are ignored. */
export function tipsIn(answer: string): Tips {
  return new Map(
    answer.split('\n').flatMap((line) => {
      const [, hash, ref] = /^([0-9a-f]{40}|[0-9a-f]{64}) (HEAD|refs\/heads\/.+)$/.exec(line) ?? [];
      return hash && ref ? [[ref, hash] as const] : [];
    }),
  );
}

/** The commits to begin at, HEAD first, and those whose history is known, of these few enough for a command line of any system. */
export function unseen(
  seen: SeenTips,
  tips: Tips,
): { readonly from: readonly string[]; readonly without: readonly string[] } {
  const known = new Set(seen.tips.map(({ hash }) => hash));
  const moved = [...tips].filter(([, hash]) => !known.has(hash));
  const isMoved = new Set(moved.map(([ref]) => ref));
  const before = [...seen.tips.filter(({ ref }) => isMoved.has(ref)), ...seen.tips].map(({ hash }) => hash);
  const from = moved.toSorted(([one], [other]) => Number(other === 'HEAD') - Number(one === 'HEAD'));
  return {
    from: [...new Set(from.map(([, hash]) => hash))],
    without: [...new Set(before)].slice(0, MOST_WITHOUT),
  };
}

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
