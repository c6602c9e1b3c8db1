import * as vscode from 'vscode';
import { branchName, isBranchName, namesStory } from '../../core/branchName.ts';
import type { Story } from '../../core/story.ts';
import type { GitRepository } from '../../host/gitBridge.ts';
import { withoutIcons } from '../../host/plainText.ts';
import { branchTemplate } from '../../host/settings.ts';
import { CURRENT_BRANCH } from './branchArgument.ts';
import { localBranches } from './checkOut.ts';

interface BranchItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<string | undefined>;
}

/** The branch of the template. */
export async function templateBranch(repository: GitRepository | undefined, story: Story): Promise<string> {
  return branchName(branchTemplate(repository?.rootUri), story);
}

/** The branch that a person wants to work on a story in; those that name it first. `undefined`: they turned away. */
export async function pickBranch(repository: GitRepository | undefined, story: Story): Promise<string | undefined> {
  const fresh = await templateBranch(repository, story);
  const branches = repository ? await localBranches(repository) : [];
  const current = repository?.state.HEAD?.name;
  const named = branches.filter((branch) => isBranchName(branch) && (namesStory(branch, story.id) || branch === fresh));
  const stay = itemOf('$(check)', current ?? '', vscode.l10n.t('Stay here'), CURRENT_BRANCH);
  const others = named.filter((branch) => branch !== current);
  const items: readonly BranchItem[] = [
    ...(current !== undefined && named.includes(current) ? [stay] : []),
    ...others.map((branch) => itemOf('$(git-branch)', branch, vscode.l10n.t('Existing branch'), branch)),
    ...(named.includes(fresh) ? [] : [itemOf('$(add)', fresh, vscode.l10n.t('New branch'), fresh)]),
    { label: vscode.l10n.t('$(edit) New Branch with Another Name…'), choose: () => askName(fresh, branches) },
    ...(current !== undefined && named.includes(current) ? [] : [stay]),
  ];
  const placeHolder = vscode.l10n.t('Where do you work on story #{0}?', story.id);
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked?.choose();
}

function itemOf(icon: string, name: string, description: string, branch: string): BranchItem {
  return { label: `${icon} ${withoutIcons(name)}`, description, choose: async () => branch };
}

async function askName(value: string, branches: readonly string[]): Promise<string | undefined> {
  return vscode.window.showInputBox({
    prompt: vscode.l10n.t('Name of the new branch'),
    value,
    validateInput: (name) => {
      if (!isBranchName(name)) return vscode.l10n.t('Git does not take this for the name of a branch.');
      return branches.includes(name) ? vscode.l10n.t('There is a branch of this name already.') : undefined;
    },
  });
}
