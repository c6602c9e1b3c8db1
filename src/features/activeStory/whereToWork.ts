import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Story } from '../../core/story/story.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { branchArgument, CURRENT_BRANCH } from './branchArgument.ts';
import { pickBranch } from './pickBranch.ts';
import { placedWorktree } from './placedWorktree.ts';
import { templateBranch } from './storyBranches.ts';
import type { WorkBranch } from './workBranch.ts';

/**
 * The branch that the arguments of Start Story name, with `worktree: true` in a folder of its own; else the one picked or,
 * for programs, that of the template. `undefined`: the person turned away.
 * @throws TrackerError `input`.
 */
export async function whereToWork(
  repository: GitRepository | undefined,
  story: Story,
  args: readonly unknown[],
): Promise<WorkBranch | undefined> {
  const named = branchArgument(args);
  const isWorktree = args.some((argument) => isPlainObject(argument) && argument.worktree === true);
  if (!repository) return { branch: named ?? CURRENT_BRANCH };
  if (named === undefined && !args.some(isPlainObject)) return pickBranch(repository, story);
  const branch = named ?? templateBranch(repository, story);
  if (!isWorktree) return { branch };
  if (branch === CURRENT_BRANCH)
    throw new TrackerError('input', vscode.l10n.t('A worktree needs a branch of its own.'));
  await repository.status();
  return { branch, worktree: await placedWorktree(repository, branch) };
}
