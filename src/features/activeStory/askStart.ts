import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { askChanges } from './askChanges.ts';
import { type BaseBranch, baseBranch } from './baseBranch.ts';
import { CURRENT_BRANCH, likelyBranch, pickBase, pickBranch, type WorkBranch } from './pickBranch.ts';
import { askSteps } from './rememberedSteps.ts';
import { wantsUpstream } from './startedWork.ts';
import { type StartStep, startSteps, titleOf } from './startSteps.ts';
import type { StoryBranches } from './storyBranches.ts';
import type { ChangesWish } from './switchBranch.ts';
import { askOpenWorktree, likelyWorktree, placedWorktree, type WantedWorktree } from './worktree.ts';

type Needs = Pick<App, 'engine' | 'workspaceMemory'>;

/** What is to be done, once everything has been asked. */
export interface Start {
  readonly isStarted: boolean;
  readonly isOwned: boolean;
  readonly branch: WorkBranch;
  readonly base?: BaseBranch | undefined;
  readonly worktree?: WantedWorktree | undefined;
  readonly changes: ChangesWish;
  readonly setsUpstream: boolean;
}

const MEMORY_KEY = 'storyTracker.startSteps';

/** What a person wants: ticks for each step, then what these leave open. `undefined`: they turned away. */
export async function askStart(
  needs: Needs,
  repository: GitRepository,
  found: FoundStory,
  me: string | undefined,
  branches: StoryBranches,
): Promise<Start | undefined> {
  const { story } = found;
  const likely = likelyBranch(repository, story, branches);
  const usual = await baseBranch(needs, repository);
  const isElsewhere = likely.branch !== CURRENT_BRANCH;
  const current = repository.state.HEAD?.name;
  const remotes = await needs.engine.branchFacts.remotes(repository.rootUri.fsPath);
  const steps = startSteps(story, me, {
    ...(isElsewhere && { branch: likely.branch }),
    isNew: likely.isNew,
    ...(usual && { base: usual.text }),
    ...(current !== undefined && { current }),
    ...(isElsewhere &&
      repository.createWorktree && { worktree: (await likelyWorktree(repository, likely.branch)).folder.fsPath }),
    wantsUpstream: remotes.length > 0 && (await wantsUpstream(repository)),
  });
  const taken = await askSteps(needs.workspaceMemory, steps, {
    title: titleOf(story, 'start'),
    placeHolder: vscode.l10n.t('Choose what to do, then press Enter'),
    memoryKey: MEMORY_KEY,
  });
  const where = taken && (await askWhere(repository, found, branches, { taken, likely, usual }));
  if (!taken || !where) return undefined;
  const worktree = where.isWorktree ? await askWorktree(repository, where.branch) : undefined;
  if (where.isWorktree && !worktree) return undefined;
  return {
    isStarted: taken.has('state'),
    isOwned: taken.has('owner'),
    setsUpstream: taken.has('upstream'),
    ...{ branch: where.branch, base: where.base, changes: where.changes, worktree },
  };
}

interface Where {
  readonly branch: WorkBranch;
  readonly base: BaseBranch | undefined;
  readonly isWorktree: boolean;
  readonly changes: ChangesWish;
}

interface Choice {
  readonly taken: ReadonlySet<StartStep>;
  readonly likely: WorkBranch;
  readonly usual: BaseBranch | undefined;
}

/** Asks what the ticks leave open: the branch and its base where that is wished, and what becomes of uncommitted work. */
async function askWhere(
  repository: GitRepository,
  { story }: FoundStory,
  branches: StoryBranches,
  { taken, likely, usual }: Choice,
): Promise<Where | undefined> {
  const isLikely = taken.has('branch') || taken.has('worktree');
  const usualBranch = isLikely ? likely : { branch: CURRENT_BRANCH, isNew: false };
  const branch = taken.has('choose') ? await pickBranch(repository, story, branches) : usualBranch;
  if (!branch) return undefined;
  const base = branch.isNew && taken.has('choose') ? await askBase(repository, usual) : usual;
  if (branch.isNew && taken.has('choose') && base === undefined) return undefined;
  const isElsewhere = branch.branch !== CURRENT_BRANCH;
  const wanted = { branch, base: base === 'here' ? undefined : base };
  if (isElsewhere && taken.has('worktree')) return { ...wanted, isWorktree: true, changes: 'carry' };
  const changes = isElsewhere ? await askChanges(repository, branch.branch, 'worktree') : 'carry';
  if (changes === undefined) return undefined;
  return changes === 'leave'
    ? { ...wanted, isWorktree: true, changes: 'carry' }
    : { ...wanted, isWorktree: false, changes };
}

async function askBase(repository: GitRepository, usual: BaseBranch | undefined) {
  const listed = await repository.getBranches({ remote: true });
  const bases = listed.flatMap(({ name, remote }): readonly BaseBranch[] => {
    if (name === undefined || name.endsWith('/HEAD')) return [];
    if (remote === undefined) return [{ text: name, branch: name, ref: `refs/heads/${name}` }];
    return [{ text: name, branch: name.slice(remote.length + 1), remote, ref: `refs/remotes/${name}` }];
  });
  return pickBase(repository, usual, bases);
}

/** `undefined`: the person turned away. @throws TrackerError `input` where the folder holds something else. */
async function askWorktree(repository: GitRepository, { branch }: WorkBranch): Promise<WantedWorktree | undefined> {
  const placed = await placedWorktree(repository, branch);
  const open = await askOpenWorktree(placed.folder);
  return open && { ...placed, open };
}
