import * as vscode from 'vscode';
import { isBranchName, namesStory } from '../../core/activeStory/branchName.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Story } from '../../core/story/story.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { callerOf, programArguments } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { askBranchName, storyBranches, templateBranch } from './storyBranches.ts';
import { askOpenWorktree, likelyWorktree, placedWorktree, type WorkBranch } from './worktree.ts';

/** Means the branch that is checked out. */
export const CURRENT_BRANCH = '';

/** The branch that a command's arguments name, beside the story or after its row. @throws TrackerError `input`. */
export function branchArgument(args: readonly unknown[]): string | undefined {
  const { branch } = programArguments(args);
  if (branch === undefined) return undefined;
  if (typeof branch === 'string' && (branch === CURRENT_BRANCH || isBranchName(branch))) return branch;
  throw new TrackerError('input', vscode.l10n.t('"{0}" is not a valid branch name.', String(branch)));
}

interface BranchItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<WorkBranch | undefined>;
}

/** The branch that a person wants to work on a story in; those that name it first. `undefined`: they turned away. */
async function pickBranch(repository: GitRepository, story: Story): Promise<WorkBranch | undefined> {
  const { fresh, all, others, isFreshThere } = await storyBranches(repository, story);
  const current = repository.state.HEAD?.name;
  const isOnIt = current !== undefined && (namesStory(current, story.id) || current === fresh);
  const stay = itemOf('$(check)', current ?? '', vscode.l10n.t('Stay Here'), CURRENT_BRANCH);
  const items: readonly BranchItem[] = [
    ...(isOnIt ? [stay] : []),
    ...others.map((branch) => itemOf('$(git-branch)', branch, vscode.l10n.t('Existing branch'), branch)),
    ...(isFreshThere ? [] : [itemOf('$(add)', fresh, vscode.l10n.t('New branch'), fresh)]),
    { label: vscode.l10n.t('$(edit) New Branch with Another Name…'), choose: () => named(fresh, all) },
    ...(repository.createWorktree ? [worktreeItem(repository, story)] : []),
    ...(isOnIt ? [] : [stay]),
  ];
  const placeHolder = vscode.l10n.t('Where do you want to work on story #{0}?', story.id);
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked?.choose();
}

function itemOf(icon: string, name: string, description: string, branch: string): BranchItem {
  return { label: `${icon} ${withoutIcons(name)}`, description, choose: async () => ({ branch }) };
}

function worktreeItem(repository: GitRepository, story: Story): BranchItem {
  return {
    label: vscode.l10n.t('$(repo-forked) In a New Worktree…'),
    description: vscode.l10n.t('In a separate folder. Nothing changes here.'),
    choose: () => pickWorktree(repository, story),
  };
}

async function named(value: string, branches: readonly string[]): Promise<WorkBranch | undefined> {
  const branch = await askBranchName(value, branches);
  return branch === undefined ? undefined : { branch };
}

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
  const isWorktree = programArguments(args).worktree === true;
  if (!repository) return { branch: named ?? CURRENT_BRANCH };
  if (named === undefined && callerOf(args) === 'person') return pickBranch(repository, story);
  const branch = named ?? templateBranch(repository, story);
  if (!isWorktree) return { branch };
  if (branch === CURRENT_BRANCH) throw new TrackerError('input', vscode.l10n.t('A worktree needs its own branch.'));
  await repository.status();
  return { branch, worktree: await placedWorktree(repository, branch) };
}

interface WorktreeItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<string | undefined>;
}

/**
 * The branch that a person wants a worktree of, with its folder before their eyes, and how to open it. `undefined`: they
 * turned away.
 * @throws TrackerError `input` where the folder holds something else.
 */
async function pickWorktree(repository: GitRepository, story: Story): Promise<WorkBranch | undefined> {
  // What a terminal did a moment ago counts.
  await repository.status();
  const { fresh, all, others, isFreshThere } = await storyBranches(repository, story);
  const another: WorktreeItem = {
    label: vscode.l10n.t('$(edit) New Branch with Another Name…'),
    choose: () => askBranchName(fresh, all),
  };
  const items = [
    ...(await Promise.all(others.map((branch) => placedItem(repository, branch, true)))),
    ...(isFreshThere ? [] : [await placedItem(repository, fresh, false)]),
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

async function placedItem(repository: GitRepository, branch: string, isOld: boolean): Promise<WorktreeItem> {
  const { folder, isThere } = await likelyWorktree(repository, branch);
  const old = isThere ? vscode.l10n.t('Existing worktree') : vscode.l10n.t('Existing branch');
  return {
    label: `${isOld ? '$(git-branch)' : '$(add)'} ${withoutIcons(branch)}`,
    description: isOld ? old : vscode.l10n.t('New branch'),
    detail: withoutIcons(folder.fsPath),
    choose: async () => branch,
  };
}
