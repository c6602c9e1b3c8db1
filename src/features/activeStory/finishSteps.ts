import * as vscode from 'vscode';
import { statesOf, storyStates } from '../../core/backlog/workflow.ts';
import type { Story } from '../../core/story/story.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import type { Step } from './rememberedSteps.ts';

export type FinishStep = 'push' | 'state' | 'link' | 'pullRequest' | 'base' | 'delete';

/** What of a repository decides which steps there are, on the branch of a story. */
export interface FinishPlace {
  readonly branch: string;
  /** Where the branch is to be pushed to; absent where all of it is there, or there is no remote. */
  readonly pushTo?: string;
  /** The branch to go back to; absent on that branch itself, and where another folder has it. */
  readonly base?: string;
  /** How many commits are not linked yet. */
  readonly unlinked: number;
  readonly hasPullRequestPage: boolean;
}

const stateOrder: readonly string[] = storyStates;

/** The state that finishing gives a story of this type; `undefined` where it has that state or a later one. */
export function finishedState({ type, state }: Pick<Story, 'type' | 'state'>): string | undefined {
  const states = statesOf(type);
  const target = states.find((one) => one === 'finished') ?? states.find((one) => one === 'accepted');
  return target !== undefined && stateOrder.indexOf(state) < stateOrder.indexOf(target) ? target : undefined;
}

/** What finishing a story takes, each of which can be left out. */
export function finishSteps(story: Story, place: FinishPlace | undefined): readonly Step<FinishStep>[] {
  const state = finishedState(story);
  return [
    ...(place?.pushTo === undefined ? [] : [pushStep(place.branch, place.pushTo, place.base !== undefined)]),
    ...(state === undefined ? [] : [stateStep(story, state)]),
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

function stateStep(story: Story, state: string): Step<FinishStep> {
  return {
    name: 'state',
    label: `$(check) ${vscode.l10n.t('Set State to {0}', state)}`,
    description: vscode.l10n.t('Now {0}', withoutIcons(story.state)),
    isUsual: true,
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
