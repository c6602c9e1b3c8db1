import * as vscode from 'vscode';
import { stateWord } from '../../core/backlog/stateWords.ts';
import { finishedState, isInProgress, statesOf } from '../../core/backlog/workflow.ts';
import type { Story } from '../../core/story/story.ts';
import { isolatedInTitle, withoutIcons } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';

/** Something that is done unless its tick is taken away. */
interface Step<Name extends string> {
  readonly name: Name;
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  /** Whether it has a tick at first. */
  readonly isUsual: boolean;
  /** The tick is the same each time, whatever it was the last time. */
  readonly isForgotten?: boolean;
}

type Ticks = Readonly<Record<string, boolean>>;

interface Asked {
  readonly title: string;
  readonly placeHolder: string;
  /** Under what the ticks of this list are remembered in the workspace. */
  readonly memoryKey: string;
}

/** Asks which of the steps to take, ticked as they were the last time. `undefined`: the person turned away. */
export async function askSteps<Name extends string>(
  memory: vscode.Memento,
  steps: readonly Step<Name>[],
  { title, placeHolder, memoryKey }: Asked,
): Promise<ReadonlySet<Name> | undefined> {
  const ticks = memory.get<Ticks>(memoryKey, {});
  const items = steps.map((step) => ({
    name: step.name,
    label: step.label,
    ...(step.description !== undefined && { description: step.description }),
    ...(step.detail !== undefined && { detail: step.detail }),
    picked: step.isForgotten ? step.isUsual : (ticks[step.name] ?? step.isUsual),
  }));
  const picked = await vscode.window.showQuickPick(items, { canPickMany: true, title, placeHolder });
  if (!picked) return undefined;
  const taken = new Set(picked.map(({ name }) => name));
  const kept = steps.filter(({ isForgotten }) => !isForgotten).map(({ name }) => [name, taken.has(name)]);
  await memory.update(memoryKey, { ...ticks, ...Object.fromEntries(kept) });
  return taken;
}

export function titleOf(story: Story, command: 'start' | 'finish'): string {
  const name = isolatedInTitle(storyLabel(story));
  return command === 'start'
    ? vscode.l10n.t('Start Story #{0} {1}', story.id, name)
    : vscode.l10n.t('Finish Story #{0} {1}', story.id, name);
}

export type StartStep = 'state' | 'owner' | 'branch' | 'worktree' | 'upstream' | 'choose';

/** What of a repository decides which steps there are. */
interface StartPlace {
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
    ...(isToBeStarted(story) ? [stateStep('play', story, 'started')] : []),
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

function stateStep(icon: string, story: Story, state: string): Step<'state'> {
  return {
    name: 'state',
    label: `$(${icon}) ${vscode.l10n.t('Set State to {0}', stateWord(state))}`,
    description: vscode.l10n.t('Now {0}', withoutIcons(stateWord(story.state))),
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

export type FinishStep = 'push' | 'state' | 'link' | 'pullRequest' | 'base' | 'delete';

/** What of a repository decides which steps there are, on the branch of a story. */
interface FinishPlace {
  readonly branch: string;
  /** Where the branch is to be pushed to; absent where all of it is there, or there is no remote. */
  readonly pushTo?: string;
  /** The branch to go back to; absent on that branch itself, and where another folder has it. */
  readonly base?: string;
  /** How many commits are not linked yet. */
  readonly unlinked: number;
  readonly hasPullRequestPage: boolean;
}

/** What finishing a story takes, each of which can be left out. */
export function finishSteps(story: Story, place: FinishPlace | undefined): readonly Step<FinishStep>[] {
  const state = finishedState(story);
  return [
    ...(place?.pushTo === undefined ? [] : [pushStep(place.branch, place.pushTo, place.base !== undefined)]),
    ...(state === undefined ? [] : [stateStep('check', story, state)]),
    ...(place && place.unlinked > 0 ? [linkStep(place.unlinked)] : []),
    ...(place?.hasPullRequestPage ? [pullRequestStep()] : []),
    ...(place?.base === undefined ? [] : [baseStep(place.base), deleteStep(place.branch, place.base)]),
  ];
}

/** A branch that is no story's own is not pushed unless that was wished for once. */
function pushStep(branch: string, remote: string, isOwn: boolean): Step<FinishStep> {
  return {
    name: 'push',
    label: `$(cloud-upload) ${vscode.l10n.t('Push {0}', withoutIcons(branch))}`,
    detail: vscode.l10n.t('To {0}', withoutIcons(remote)),
    isUsual: isOwn,
    isForgotten: !isOwn,
  };
}

function linkStep(count: number): Step<FinishStep> {
  const label = count === 1 ? vscode.l10n.t('Link 1 Commit') : vscode.l10n.t('Link {0} Commits', count);
  return { name: 'link', label: `$(link) ${label}`, isUsual: true };
}

function pullRequestStep(): Step<FinishStep> {
  return {
    name: 'pullRequest',
    label: vscode.l10n.t('$(git-pull-request) Open Page to Create a Pull Request'),
    description: vscode.l10n.t('In the browser'),
    isUsual: true,
  };
}

function baseStep(base: string): Step<FinishStep> {
  return {
    name: 'base',
    label: `$(git-branch) ${vscode.l10n.t('Switch Back to {0}', withoutIcons(base))}`,
    isUsual: true,
  };
}

function deleteStep(branch: string, base: string): Step<FinishStep> {
  return {
    name: 'delete',
    label: `$(trash) ${vscode.l10n.t('Delete Branch {0}', withoutIcons(branch))}`,
    detail: vscode.l10n.t('Only if it is merged into {0}', withoutIcons(base)),
    isUsual: true,
  };
}
