import { basename, dirname, join, resolve } from 'node:path';

interface WorktreeWish {
  /** Root of the repository's first folder. */
  readonly root: string;
  readonly branch: string;
  /** What `storyTracker.worktreeFolder` says. */
  readonly wished: string;
  /** The person's own folder, for `~/`. */
  readonly home: string;
}

/**
 * The folder for a branch's worktree. Where nothing is wished it is the one that VS Code's Git would take: below
 * `<repository>.worktrees` beside the repository, with `-` for each slash of the branch.
 */
export function worktreeFolder({ root, branch, wished, home }: WorktreeWish): string {
  const name = basename(root);
  const text = wished.trim().replace(/\$\{repository\}/g, () => name);
  const folder =
    text === ''
      ? join(dirname(root), `${name}.worktrees`)
      : resolve(
          root,
          text.replace(/^~(?=[/\\]|$)/, () => home),
        );
  return join(folder, branch.replace(/[/\\<>"|]+/g, '-'));
}
