import * as vscode from 'vscode';
import { namesStory } from '../../core/activeStory/branchName.ts';
import type { Story } from '../../core/story/story.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { CURRENT_BRANCH } from './branchArgument.ts';
import { askBranchName, storyBranches } from './storyBranches.ts';
import type { WorkBranch } from './workBranch.ts';

interface BranchItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<WorkBranch | undefined>;
}

/** The branch that a person wants to work on a story in; those that name it first. `undefined`: they turned away. */
export async function pickBranch(repository: GitRepository, story: Story): Promise<WorkBranch | undefined> {
  const { fresh, all, others, isFreshThere } = await storyBranches(repository, story);
  const current = repository.state.HEAD?.name;
  const isOnIt = current !== undefined && (namesStory(current, story.id) || current === fresh);
  const stay = itemOf('$(check)', current ?? '', vscode.l10n.t('Stay here'), CURRENT_BRANCH);
  const items: readonly BranchItem[] = [
    ...(isOnIt ? [stay] : []),
    ...others.map((branch) => itemOf('$(git-branch)', branch, vscode.l10n.t('Existing branch'), branch)),
    ...(isFreshThere ? [] : [itemOf('$(add)', fresh, vscode.l10n.t('New branch'), fresh)]),
    { label: vscode.l10n.t('$(edit) New Branch with Another Name…'), choose: () => named(fresh, all) },
    ...(repository.createWorktree ? [worktreeItem(repository, story)] : []),
    ...(isOnIt ? [] : [stay]),
  ];
  const placeHolder = vscode.l10n.t('Where do you work on story #{0}?', story.id);
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked?.choose();
}

function itemOf(icon: string, name: string, description: string, branch: string): BranchItem {
  return { label: `${icon} ${withoutIcons(name)}`, description, choose: async () => ({ branch }) };
}

function worktreeItem(repository: GitRepository, story: Story): BranchItem {
  return {
    label: vscode.l10n.t('$(repo-forked) In a New Worktree…'),
    description: vscode.l10n.t('A folder of its own; nothing changes here'),
    choose: async () => (await import('./pickWorktree.ts')).pickWorktree(repository, story),
  };
}

async function named(value: string, branches: readonly string[]): Promise<WorkBranch | undefined> {
  const branch = await askBranchName(value, branches);
  return branch === undefined ? undefined : { branch };
}
