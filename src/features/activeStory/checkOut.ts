import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { GitRepository } from '../../host/gitBridge.ts';

/** Checks a branch out, made from what is checked out when there is none of that name. @throws TrackerError `input` in Git's words. */
export async function checkOut(repository: GitRepository, branch: string): Promise<void> {
  await repository.status();
  if (repository.state.HEAD?.name === branch) return;
  const isThere = (await localBranches(repository)).includes(branch);
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

/** Git's own words for what went wrong, which VS Code's Git hands on in `stderr`. */
export function gitWords(thrown: unknown): string {
  const said = typeof thrown === 'object' && thrown !== null && 'stderr' in thrown ? thrown.stderr : undefined;
  return typeof said === 'string' && said.trim() !== '' ? said.trim() : messageOf(thrown);
}
