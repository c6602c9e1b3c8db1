import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';

/**
 * Checks a branch out: one that is only on a remote to follow that one; where there is none of that name, made from what is
 * checked out. @throws TrackerError `input` in Git's words.
 */
export async function checkOut(repository: GitRepository, branch: string): Promise<void> {
  await repository.status();
  if (repository.state.HEAD?.name === branch) return;
  const isThere = (await knownBranches(repository)).includes(branch);
  try {
    await (isThere ? repository.checkout(branch) : repository.createBranch(branch, true));
  } catch (thrown) {
    throw new TrackerError('input', vscode.l10n.t('{0} was not checked out. {1}', branch, gitWords(thrown)), {
      cause: thrown,
    });
  }
}

export async function localBranches(repository: GitRepository): Promise<readonly string[]> {
  const branches = await repository.getBranches({ remote: false });
  return branches.flatMap(({ name }) => name ?? []);
}

/** Those that Git checks out by their name: the local ones, and those that one remote alone has. */
export async function knownBranches(repository: GitRepository): Promise<readonly string[]> {
  const branches = await repository.getBranches({ remote: true });
  const local = branches.flatMap(({ name, remote }) => (remote === undefined ? (name ?? []) : []));
  const theirs = branches.flatMap(({ name = '', remote }) =>
    remote !== undefined && name.startsWith(`${remote}/`) ? name.slice(remote.length + 1) : [],
  );
  const isOfOne = (branch: string) => branch !== 'HEAD' && theirs.indexOf(branch) === theirs.lastIndexOf(branch);
  return [...local, ...theirs.filter((branch) => isOfOne(branch) && !local.includes(branch))];
}

/** Git's own words for what went wrong, which VS Code's Git hands on in `stderr`. */
export function gitWords(thrown: unknown): string {
  const said = typeof thrown === 'object' && thrown !== null && 'stderr' in thrown ? thrown.stderr : undefined;
  return typeof said === 'string' && said.trim() !== '' ? said.trim() : messageOf(thrown);
}
