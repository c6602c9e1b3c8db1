import type { SimpleGit } from 'simple-git';

const REMOTE_KEYS = '^(remote\\..*\\.url|remote\\.pushdefault|branch\\..*\\.(remote|pushremote))$';

/** The one that the branch is pushed to first, then `origin`, the others as configured. */
export async function remoteNames(git: SimpleGit): Promise<readonly string[]> {
  const branch = (await git.raw(['symbolic-ref', '--quiet', 'HEAD'])).trim().replace(/^refs\/heads\//, '');
  const answer = await git.raw(['config', '--null', '--get-regexp', REMOTE_KEYS]);
  const entries = answer.split('\0').map((entry) => entry.split('\n', 2));
  const values = new Map(entries.map(([key = '', value = '']) => [key, value]));
  const pushed = [`branch.${branch}.pushremote`, 'remote.pushdefault', `branch.${branch}.remote`];
  const preferred = pushed.flatMap((key) => values.get(key) ?? []).slice(0, 1);
  const names = [...values.keys()].flatMap((key) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  const usable = new Set(names.filter((name) => !name.startsWith('-')));
  return [...new Set([...preferred, 'origin', ...usable])].filter((name) => usable.has(name));
}
