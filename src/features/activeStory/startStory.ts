import * as vscode from 'vscode';
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
import { askStart, type Start } from './askStart.ts';
import { baseBranch, fetchedTip } from './baseBranch.ts';
import { type EditNeeds, editWithWork, entryOf } from './editWithWork.ts';
import type { FollowedStories } from './followedStories.ts';
import { branchArgument, CURRENT_BRANCH } from './pickBranch.ts';
import { StartedWork, type WantedWork } from './startedWork.ts';
import { isToBeStarted } from './startSteps.ts';
import { type StoryBranches, storyBranches } from './storyBranches.ts';
import { workPlace } from './workPlace.ts';
import { openWorktree, placedWorktree } from './worktree.ts';

export type StartNeeds = EditNeeds &
  Pick<App, 'accounts' | 'backlogs' | 'engine' | 'git' | 'log' | 'storyArgument' | 'workspaceMemory'>;

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
  if (place.repository)
    await startThere(needs, stories, { repository: place.repository, start, active, found, edit, caller });
  else {
    await stories.set(undefined, active);
    await editWithWork(
      needs,
      found,
      edit,
      undefined,
      vscode.l10n.t('You are now working on story #{0}.', active.storyId),
    );
  }
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
    ...{ repository, story: active, wanted, setsUpstream: start.setsUpstream },
    ...(base && { base }),
    ...(start.worktree && { worktree: start.worktree }),
  };
  const failed = (done: StartedWork) => needs.undoHistory.add(entryOf(needs, found, done));
  const started = await StartedWork.begin(needs, stories, work, failed);
  await editWithWork(needs, found, edit, started, doneText(active.storyId, branch, started)).catch(
    (thrown: unknown) => {
      throw started.folder ? withFolder(thrown, started.folder) : thrown;
    },
  );
  if (started.folder) await openWorktree(started.folder, start.worktree?.open ?? 'not');
}

function doneText(storyId: number, branch: string, { folder }: StartedWork): string {
  if (folder) return vscode.l10n.t('The worktree of story #{0} is in {1}.', storyId, folder.fsPath);
  return branch === CURRENT_BRANCH
    ? vscode.l10n.t('You are now working on story #{0}.', storyId)
    : vscode.l10n.t('You are now working on story #{0} on branch {1}.', storyId, branch);
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
  if (wish !== undefined && (typeof wish !== 'string' || !isBranchName(wish))) {
    throw new TrackerError('input', vscode.l10n.t('"{0}" is not a valid branch name.', String(wish)));
  }
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
    ...(branch.isNew && { base: await baseBranch(needs, repository, wish) }),
    ...(worktree === true && { worktree: await placedWorktree(repository, name) }),
  };
}
