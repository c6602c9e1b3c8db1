import * as vscode from 'vscode';
import { branchName, isBranchName, namesStory } from '../../core/activeStory/branchName.ts';
import type { Story } from '../../core/story/story.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { branchTemplate } from '../../host/shell/settings.ts';
import { knownBranches } from './checkOut.ts';

/** The branches of a repository, as they matter for a story. */
export interface StoryBranches {
  /** That of the template. */
  readonly fresh: string;
  /** The local ones, and those that only a remote has. */
  readonly all: readonly string[];
  /** Those that name the story or are that of the template, and that are not checked out. */
  readonly others: readonly string[];
  readonly isFreshThere: boolean;
}

/** The branch of the template. */
export function templateBranch(repository: GitRepository, story: Story): string {
  return branchName(branchTemplate(repository.rootUri), story);
}

export async function storyBranches(repository: GitRepository, story: Story): Promise<StoryBranches> {
  const fresh = templateBranch(repository, story);
  const all = await knownBranches(repository);
  const current = repository.state.HEAD?.name;
  const isOfStory = (branch: string) => isBranchName(branch) && (namesStory(branch, story.id) || branch === fresh);
  const others = all.filter((branch) => branch !== current && isOfStory(branch));
  return { fresh, all, others, isFreshThere: all.includes(fresh) };
}

/** `undefined`: the person turned away. */
export async function askBranchName(value: string, branches: readonly string[]): Promise<string | undefined> {
  return vscode.window.showInputBox({
    prompt: vscode.l10n.t('Name of the new branch'),
    value,
    validateInput: (name) => {
      if (!isBranchName(name)) return vscode.l10n.t('Git does not take this for the name of a branch.');
      return branches.includes(name) ? vscode.l10n.t('There is a branch of this name already.') : undefined;
    },
  });
}
