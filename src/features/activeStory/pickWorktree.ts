import * as vscode from 'vscode';
import type { Story } from '../../core/story/story.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { askOpenWorktree, type WorkBranch } from './openWorktree.ts';
import { likelyWorktree, placedWorktree } from './placedWorktree.ts';
import { askBranchName, storyBranches } from './storyBranches.ts';

interface WorktreeItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<string | undefined>;
}

/**
 * The branch that a person wants a worktree of, with its folder before their eyes, and how to open it. `undefined`: they
 * turned away.
 * @throws TrackerError `input` where the folder holds something else.
 */
export async function pickWorktree(repository: GitRepository, story: Story): Promise<WorkBranch | undefined> {
  // What a terminal did a moment ago counts.
  await repository.status();
  const { fresh, all, others, isFreshThere } = await storyBranches(repository, story);
  const another: WorktreeItem = {
    label: vscode.l10n.t('$(edit) New Branch with Another Name…'),
    choose: () => askBranchName(fresh, all),
  };
  const items = [
    ...(await Promise.all(others.map((branch) => itemOf(repository, branch, true)))),
    ...(isFreshThere ? [] : [await itemOf(repository, fresh, false)]),
    another,
  ];
  const placeHolder = vscode.l10n.t('Which branch do you want for the worktree of story #{0}?', story.id);
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDetail: true });
  const branch = await picked?.choose();
  if (branch === undefined) return undefined;
  const placed = await placedWorktree(repository, branch);
  const open = await askOpenWorktree(placed.folder);
  return open && { branch, worktree: { ...placed, open } };
}

async function itemOf(repository: GitRepository, branch: string, isOld: boolean): Promise<WorktreeItem> {
  const { folder, isThere } = await likelyWorktree(repository, branch);
  const old = isThere ? vscode.l10n.t('Existing worktree') : vscode.l10n.t('Existing branch');
  return {
    label: `${isOld ? '$(git-branch)' : '$(add)'} ${withoutIcons(branch)}`,
    description: isOld ? old : vscode.l10n.t('New branch'),
    detail: withoutIcons(folder.fsPath),
    choose: async () => branch,
  };
}
