import * as vscode from 'vscode';
import { isInProgress, statesOf } from '../../core/backlog/workflow.ts';
import type { Story } from '../../core/story/story.ts';
import { isolatedInTitle, withoutIcons } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import type { Step } from './rememberedSteps.ts';

export type StartStep = 'state' | 'owner' | 'branch' | 'worktree' | 'upstream' | 'choose';

/** What of a repository decides which steps there are. */
export interface StartPlace {
  /** The branch to be checked out; absent where the one that is checked out is the story's. */
  readonly branch?: string;
  readonly isNew: boolean;
  /** As people write it; absent where a new branch begins at what is checked out. */
  readonly base?: string;
  readonly current?: string;
  /** The folder that a worktree would be in; absent where VS Code makes none. */
  readonly worktree?: string;
  /** Git sets no upstream by itself when a branch is first pushed, and there is a remote. */
  readonly wantsUpstream: boolean;
}

/** Whether starting changes the story's state. */
export function isToBeStarted({ type, state }: Pick<Story, 'type' | 'state'>): boolean {
  const isUnderWay = isInProgress(state) && state !== 'rejected';
  return !isUnderWay && statesOf(type).includes('started');
}

/** What starting a story takes, each of which can be left out. `me`: what the person is called, where that is known. */
export function startSteps(story: Story, me: string | undefined, place: StartPlace): readonly Step<StartStep>[] {
  const { ownedBy } = story;
  const isTaken = ownedBy !== undefined && ownedBy !== me;
  return [
    ...(isToBeStarted(story) ? [stateStep(story)] : []),
    ...(me === undefined || ownedBy === me ? [] : [ownerStep(isTaken ? ownedBy : undefined)]),
    ...(place.branch === undefined ? [] : [branchStep(place.branch, place)]),
    ...(place.worktree === undefined || place.branch === undefined ? [] : [worktreeStep(place.worktree)]),
    ...(place.wantsUpstream ? [upstreamStep()] : []),
    {
      name: 'choose',
      label: vscode.l10n.t('$(list-selection) Choose Branch and Base…'),
      description: vscode.l10n.t('Asks in the next step'),
      isUsual: false,
      isForgotten: true,
    },
  ];
}

function stateStep({ state }: Story): Step<StartStep> {
  return {
    name: 'state',
    label: `$(play) ${vscode.l10n.t('Set State to {0}', 'started')}`,
    description: vscode.l10n.t('Now {0}', withoutIcons(state)),
    isUsual: true,
  };
}

/** Nobody's story is taken away from them because another one was. */
function ownerStep(owner: string | undefined): Step<StartStep> {
  if (owner === undefined) return { name: 'owner', label: vscode.l10n.t('$(person) Assign to Me'), isUsual: true };
  return {
    name: 'owner',
    label: vscode.l10n.t('$(person) Assign to Me'),
    description: vscode.l10n.t('Now owned by {0}', withoutIcons(owner)),
    isUsual: false,
    isForgotten: true,
  };
}

function branchStep(branch: string, { isNew, base, current }: StartPlace): Step<StartStep> {
  const name = withoutIcons(branch);
  if (!isNew) {
    return { name: 'branch', label: `$(git-branch) ${vscode.l10n.t('Switch to {0}', name)}`, isUsual: true };
  }
  const from = base ?? current;
  return {
    name: 'branch',
    label: `$(git-branch) ${vscode.l10n.t('Create Branch {0}', name)}`,
    // Names of branches are long, and leave no room beside them.
    ...(from !== undefined && { detail: vscode.l10n.t('From {0}', withoutIcons(from)) }),
    isUsual: true,
  };
}

function worktreeStep(folder: string): Step<StartStep> {
  return {
    name: 'worktree',
    label: vscode.l10n.t('$(repo-forked) Use a Worktree'),
    description: vscode.l10n.t('In a separate folder. Nothing changes here.'),
    detail: withoutIcons(folder),
    isUsual: false,
  };
}

function upstreamStep(): Step<StartStep> {
  return {
    name: 'upstream',
    label: vscode.l10n.t('$(cloud-upload) Set Upstream on First Push'),
    description: 'push.autoSetupRemote',
    isUsual: true,
  };
}

export function titleOf(story: Story, command: 'start' | 'finish'): string {
  const name = isolatedInTitle(storyLabel(story));
  return command === 'start'
    ? vscode.l10n.t('Start Story #{0} {1}', story.id, name)
    : vscode.l10n.t('Finish Story #{0} {1}', story.id, name);
}
