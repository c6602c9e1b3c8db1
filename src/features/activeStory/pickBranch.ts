import * as vscode from 'vscode';
import { isBranchName, namesStory } from '../../core/activeStory/branchName.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Story } from '../../core/story/story.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import type { BaseBranch } from './baseBranch.ts';
import { askBranchName, type StoryBranches } from './storyBranches.ts';

/** Means the branch that is checked out. */
export const CURRENT_BRANCH = '';

/** The branch that a command's arguments name, beside the story or after its row. @throws TrackerError `input`. */
export function branchArgument(args: readonly unknown[]): string | undefined {
  const { branch } = programArguments(args);
  if (branch === undefined) return undefined;
  if (typeof branch !== 'string')
    throw new TrackerError('input', vscode.l10n.t('Pass {0} as {1}.', 'branch', 'string'));
  if (branch === CURRENT_BRANCH || isBranchName(branch)) return branch;
  throw new TrackerError('input', vscode.l10n.t('"{0}" is not a valid branch name.', branch));
}

/** The branch to work on a story in. */
export interface WorkBranch {
  /** `CURRENT_BRANCH` for the one that is checked out. */
  readonly branch: string;
  /** It is made. */
  readonly isNew: boolean;
}

interface BranchItem extends vscode.QuickPickItem {
  readonly choose: () => Promise<WorkBranch | undefined>;
}

/** The branch that is taken where nobody chooses another one: the one that names the story, else a new one after the template. */
export function likelyBranch(repository: GitRepository, story: Story, { fresh, others }: StoryBranches): WorkBranch {
  const current = repository.state.HEAD?.name;
  if (current !== undefined && (namesStory(current, story.id) || current === fresh)) {
    return { branch: CURRENT_BRANCH, isNew: false };
  }
  const [other] = others;
  return other === undefined ? { branch: fresh, isNew: true } : { branch: other, isNew: false };
}

/** The branch that a person wants to work on a story in; those that name it first. `undefined`: they turned away. */
export async function pickBranch(
  repository: GitRepository,
  story: Story,
  { fresh, all, others, isFreshThere }: StoryBranches,
): Promise<WorkBranch | undefined> {
  const current = repository.state.HEAD?.name;
  const isOnIt = current !== undefined && (namesStory(current, story.id) || current === fresh);
  const stay = itemOf('$(check)', current ?? '', vscode.l10n.t('Stay Here'), { branch: CURRENT_BRANCH, isNew: false });
  const items: readonly BranchItem[] = [
    ...(isOnIt ? [stay] : []),
    ...others.map((branch) =>
      itemOf('$(git-branch)', branch, vscode.l10n.t('Existing branch'), { branch, isNew: false }),
    ),
    ...(isFreshThere ? [] : [itemOf('$(add)', fresh, vscode.l10n.t('New branch'), { branch: fresh, isNew: true })]),
    { label: vscode.l10n.t('$(edit) New Branch with Another Name…'), choose: () => named(fresh, all) },
    ...(isOnIt ? [] : [stay]),
  ];
  const placeHolder = vscode.l10n.t('Where do you want to work on story #{0}?', story.id);
  const picked = await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked?.choose();
}

function itemOf(icon: string, name: string, description: string, branch: WorkBranch): BranchItem {
  return { label: `${icon} ${withoutIcons(name)}`, description, choose: async () => branch };
}

async function named(value: string, branches: readonly string[]): Promise<WorkBranch | undefined> {
  const branch = await askBranchName(value, branches);
  return branch === undefined ? undefined : { branch, isNew: true };
}

interface BaseItem extends vscode.QuickPickItem {
  readonly base: BaseBranch | undefined;
}

/** Where a person wants a new branch to begin. `undefined`: they turned away; `'here'`: at what is checked out. */
export async function pickBase(
  repository: GitRepository,
  usual: BaseBranch | undefined,
  bases: readonly BaseBranch[],
): Promise<BaseBranch | 'here' | undefined> {
  const others = bases.filter(({ ref }) => ref !== usual?.ref);
  const current = repository.state.HEAD?.name;
  const here: BaseItem = {
    label: `$(target) ${withoutIcons(current ?? vscode.l10n.t('Current commit'))}`,
    description: vscode.l10n.t('Checked out'),
    base: undefined,
  };
  const item = (base: BaseBranch): BaseItem => ({
    label: `${base.remote === undefined ? '$(git-branch)' : '$(cloud)'} ${withoutIcons(base.text)}`,
    ...(base.remote !== undefined && { description: vscode.l10n.t('Fetched first') }),
    base,
  });
  const isHere = ({ ref }: BaseBranch) => ref === `refs/heads/${current}`;
  const items = [
    ...(usual && !isHere(usual) ? [item(usual)] : []),
    here,
    ...others.filter((base) => !isHere(base)).map(item),
  ];
  const placeHolder = vscode.l10n.t('Where should the new branch begin?');
  const picked = await vscode.window.showQuickPick(items, { placeHolder });
  return picked && (picked.base ?? 'here');
}
