import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { isBranchName } from '../../core/activeStory/branchName.ts';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Project } from '../../core/story/project.ts';
import type { StoryEdit } from '../../core/story/story.ts';
import { ownNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { askedRepository } from '../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { type Caller, callerOf, isPlainObject, programArguments } from '../../host/shell/commands.ts';
import { estimatedEdit } from '../../host/story/estimatedEdit.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { isFromTree, selectingLater, watchFocus } from '../../host/tree/selectedRow.ts';
import { askChanges } from './askChanges.ts';
import { type BaseBranch, baseBranch, baseOfNew, fetchedTip } from './baseBranch.ts';
import { askToBind } from './boundElsewhere.ts';
import type { FollowedStories } from './followedStories.ts';
import { branchArgument, CURRENT_BRANCH, likelyBranch, pickBase, pickBranch, type WorkBranch } from './pickBranch.ts';
import { StartedWork, type WantedWork, wantsUpstream } from './startedWork.ts';
import { type StoryBranches, storyBranches } from './storyBranches.ts';
import type { ChangesWish } from './switchBranch.ts';
import { type EditNeeds, editWithWork, entryOf } from './workEntry.ts';
import { workPlace } from './workPlace.ts';
import { askSteps, isToBeStarted, type StartStep, startSteps, titleOf } from './workSteps.ts';
import { askOpenWorktree, likelyWorktree, openWorktree, placedWorktree, type WantedWorktree } from './worktree.ts';

type StartNeeds = EditNeeds &
  Pick<App, 'accounts' | 'backlogs' | 'engine' | 'git' | 'log' | 'storiesView' | 'storyArgument' | 'workspaceMemory'>;

/**
 * Start Story (contract.md): the story is started and one's own, and its branch is checked out: the one named by `branch`
 * (`''` for the one that is), else that of the template, made at `base`, else at the base of the setting or of the remote, which is
 * fetched before; with `worktree: true` in a folder of its own. A person chooses what of it to do. Nothing is changed before
 * everything has been asked, and one undo takes all of it back.
 */
export async function startStory(
  needs: StartNeeds,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const caller = callerOf(args);
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Start which story?'));
  if (!found) return;
  if (found.story.state === 'accepted') {
    throw new TrackerError('input', vscode.l10n.t('Story #{0} is already accepted.', found.story.id));
  }
  const place = await workPlace(needs, askedRepository(args.find(isPlainObject)).repository);
  if (!place) return;
  const { project } = await needs.backlogs.backlog(found.key);
  const me = (await ownNames(needs))[found.key.accountId];
  const start = place.repository
    ? await startIn(needs, place.repository, found, me, args)
    : await startWithoutGit(needs, found, me, args);
  const edit = start && (await startingEdit(found, project, start, me));
  if (!start || !edit) return;
  const active = { ...found.key, storyId: found.story.id };
  const reveal = revealing(needs, args[0]);
  if (place.repository) {
    await startThere(needs, stories, { repository: place.repository, start, active, found, edit, caller });
  } else {
    await stories.set(undefined, active);
    await editWithWork(
      needs,
      found,
      edit,
      undefined,
      vscode.l10n.t('You are now working on story #{0}.', active.storyId),
    );
  }
  if (caller === 'person') await reveal(active);
}

/** To be called before a story is started, which can take it to another iteration: what it gives shows its row there. */
function revealing(needs: StartNeeds, argument: unknown): (story: ActiveStory) => Promise<void> {
  const select = selectingLater(needs);
  const isHere = watchFocus();
  return ({ storyId, ...key }) => select(key, storyId, { focus: () => isFromTree(argument) && isHere() });
}

interface There {
  readonly repository: GitRepository;
  readonly start: Start;
  readonly active: ActiveStory;
  readonly found: FoundStory;
  readonly edit: StoryEdit;
  readonly caller: Caller;
}

/** First what is done with Git, which hooks and what is not committed may stop, then the story. */
async function startThere(needs: StartNeeds, stories: FollowedStories, there: There): Promise<void> {
  const { repository, start, active, found, edit, caller } = there;
  const { branch, isNew } = start.branch;
  const named = branch === CURRENT_BRANCH ? undefined : branch;
  const bound = await askToBind(needs, stories, { repository, branch: named, story: active, caller });
  if (bound?.answer === 'start') {
    const again = { ...active, repository: repository.rootUri.toString(), caller };
    await vscode.commands.executeCommand(commandIds.startStory, again);
  }
  if (bound?.answer !== 'bind') return;
  const base = isNew ? start.base : undefined;
  const tip = base && (await fetchedTip(needs, repository, base, caller));
  if (base && tip === undefined) return;
  const wanted = {
    ...start.branch,
    ...(tip !== undefined && { start: tip }),
    changes: start.changes,
    stashName: vscode.l10n.t('Before story #{0}', active.storyId),
  };
  const work: WantedWork = {
    ...{ repository, story: active, wanted, setsUpstream: start.setsUpstream, caller },
    ...(base && { base }),
    ...(start.worktree && { worktree: start.worktree }),
  };
  const failed = (done: StartedWork) => needs.undoHistory.add(entryOf(needs, found, done));
  const started = await StartedWork.begin(needs, stories, work, failed);
  const done = [doneText(active.storyId, started), bound.said].filter(Boolean).join(' ');
  await editWithWork(needs, found, edit, started, done).catch((thrown: unknown) => {
    throw started.folder ? withFolder(thrown, started.folder) : thrown;
  });
  if (started.folder) await openWorktree(started.folder, start.worktree?.open ?? 'not');
}

/** Without the branch, which the status bar shows anyway: its name is long, and *Undo* stands behind this. */
function doneText(storyId: number, { folder }: StartedWork): string {
  return folder
    ? vscode.l10n.t('The worktree of story #{0} is in {1}.', storyId, folder.fsPath)
    : vscode.l10n.t('You are now working on story #{0}.', storyId);
}

function withFolder(thrown: unknown, folder: vscode.Uri): Error {
  const sentence = vscode.l10n.t('The worktree is in {0}. {1}', folder.fsPath, messageOf(thrown));
  return thrown instanceof TrackerError
    ? new TrackerError(thrown.kind, sentence, { cause: thrown })
    : new Error(sentence, { cause: thrown });
}

/** What changes in the story: its state, its owner, its estimate when it needs one. `undefined`: the person turned away. */
async function startingEdit(
  { story }: FoundStory,
  project: Project,
  { isStarted, isOwned }: Start,
  me: string | undefined,
): Promise<StoryEdit | undefined> {
  const owned: StoryEdit = isOwned && me !== undefined && story.ownedBy !== me ? { ownedBy: me } : {};
  if (!isStarted || !isToBeStarted(story)) return owned;
  const started = await estimatedEdit('started', undefined, story, project);
  return started && { ...started, ...owned };
}

/** `undefined`: the person turned away. */
async function startWithoutGit(
  { messages }: StartNeeds,
  { story }: FoundStory,
  me: string | undefined,
  args: readonly unknown[],
): Promise<Start | undefined> {
  const branch = { branch: branchArgument(args) ?? CURRENT_BRANCH, isNew: false };
  const start: Start = { isStarted: true, isOwned: true, branch, changes: 'carry', setsUpstream: false };
  if (story.ownedBy === undefined || story.ownedBy === me || callerOf(args) === 'program') return start;
  const take = vscode.l10n.t('Take Over');
  const keep = vscode.l10n.t('Keep Owner');
  const question = vscode.l10n.t('Story #{0} is owned by {1}.', story.id, story.ownedBy);
  const answer = me === undefined ? keep : await messages.ask(question, undefined, take, keep);
  return answer === undefined ? undefined : { ...start, isOwned: answer === take };
}

/** `undefined`: the person turned away. @throws TrackerError `input`. */
async function startIn(
  needs: StartNeeds,
  repository: GitRepository,
  found: FoundStory,
  me: string | undefined,
  args: readonly unknown[],
): Promise<Start | undefined> {
  const named = branchArgument(args);
  // What a terminal did a moment ago counts.
  await repository.status();
  const branches = await storyBranches(repository, found.story);
  return named === undefined && callerOf(args) === 'person'
    ? askStart(needs, repository, found, me, branches)
    : namedStart(needs, repository, branches, named, args);
}

/** What a program wants: all that the arguments do not name is done the usual way. */
async function namedStart(
  needs: StartNeeds,
  repository: GitRepository,
  { fresh, all }: StoryBranches,
  named: string | undefined,
  args: readonly unknown[],
): Promise<Start> {
  const { base: wish, changes = 'carry', worktree } = programArguments(args);
  if (wish !== undefined && typeof wish !== 'string')
    throw new TrackerError('input', vscode.l10n.t('Pass {0} as {1}.', 'base', 'string'));
  if (wish !== undefined && !isBranchName(wish))
    throw new TrackerError('input', vscode.l10n.t('"{0}" is not a valid branch name.', wish));
  if (changes !== 'carry' && changes !== 'stash') {
    throw new TrackerError('input', vscode.l10n.t('Pass the changes as "carry" or "stash".'));
  }
  const name = named ?? fresh;
  const branch = { branch: name, isNew: name !== CURRENT_BRANCH && !all.includes(name) };
  if (worktree === true && name === CURRENT_BRANCH) {
    throw new TrackerError('input', vscode.l10n.t('A worktree needs its own branch.'));
  }
  return {
    ...{ isStarted: true, isOwned: true, branch, changes, setsUpstream: false },
    ...(branch.isNew && {
      base: await (wish === undefined ? baseOfNew(needs, repository) : baseBranch(needs, repository, wish)),
    }),
    ...(worktree === true && { worktree: await placedWorktree(repository, name) }),
  };
}

type Needs = Pick<App, 'engine' | 'workspaceMemory'>;

/** What is to be done, once everything has been asked. */
interface Start {
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
async function askStart(
  needs: Needs,
  repository: GitRepository,
  found: FoundStory,
  me: string | undefined,
  branches: StoryBranches,
): Promise<Start | undefined> {
  const { story } = found;
  const likely = likelyBranch(repository, story, branches);
  const usual = await baseOfNew(needs, repository);
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
