import * as vscode from 'vscode';
import { branchName, isBranchName, namesStory } from '../../core/activeStory/branchName.ts';
import { messageOf } from '../../core/errors.ts';
import type { Story } from '../../core/story/story.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { branchTemplate } from '../../host/shell/featureSettings.ts';

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
function templateBranch(repository: GitRepository, story: Story): string {
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
    prompt: vscode.l10n.t('Name for the new branch'),
    value,
    validateInput: (name) => {
      if (!isBranchName(name)) return vscode.l10n.t('This is not a valid branch name.');
      return branches.includes(name) ? vscode.l10n.t('A branch with this name already exists.') : undefined;
    },
  });
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
