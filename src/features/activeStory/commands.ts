import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { isInProgress, statesOf } from '../../core/backlog/workflow.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Project } from '../../core/story/project.ts';
import { isMeant } from '../../core/story/projectKey.ts';
import type { StoryEdit } from '../../core/story/story.ts';
import { ownNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { askedRepository, chooseRepository } from '../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { type Caller, callerOf, isPlainObject } from '../../host/shell/commands.ts';
import { estimatedEdit } from '../../host/story/estimatedEdit.ts';
import { storyNameIn } from '../../host/story/storyArgument.ts';
import { submitIntents } from '../../host/story/submitIntents.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import type { FollowedStories, WorkedStory } from './followedStories.ts';
import { branchArgument, CURRENT_BRANCH, whereToWork } from './pickBranch.ts';
import { checkOut } from './storyBranches.ts';
import { makeWorktree, openWorktree, type WantedWorktree, type WorkBranch } from './worktree.ts';

type StartNeeds = Pick<App, 'accounts' | 'backlogs' | 'git' | 'log' | 'messages' | 'storyArgument' | 'workspaceMemory'>;

/** What is done once everything has been asked. */
interface Start extends WorkBranch {
  readonly found: FoundStory;
  readonly edit: StoryEdit;
  readonly repository?: GitRepository;
}

/**
 * Start Story (contract.md): the story is started and one's own, and its branch is checked out: the one named by `branch`
 * (`''` for the one that is), else the one picked or, for programs, that of the template; with `worktree: true` in a folder
 * of its own. Nothing is changed before everything has been asked.
 */
export async function startStory(
  needs: StartNeeds,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const caller = callerOf(args);
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Start which story?'));
  const place = found && (await workPlace(needs, askedRepository(args.find(isPlainObject)).repository));
  if (!place) return;
  const { project } = await needs.backlogs.backlog(found.key);
  const where = await whereToWork(place.repository, found.story, args);
  const edit = where && (await startingEdit(needs, found, project, caller));
  if (!where || !edit) return;
  const start: Start = { ...where, ...place, found, edit };
  if (place.repository && where.worktree)
    await startInWorktree(needs, stories, start, place.repository, where.worktree);
  else await startHere(needs, stories, start);
}

async function startHere(needs: StartNeeds, stories: FollowedStories, start: Start): Promise<void> {
  const { repository, branch, found } = start;
  if (repository && branch !== CURRENT_BRANCH) await checkOut(repository, branch);
  await stories.set(repository, activeOf(found), branch === CURRENT_BRANCH ? undefined : branch);
  await submit(
    needs,
    start,
    branch === CURRENT_BRANCH
      ? vscode.l10n.t('You are now working on story #{0}.', found.story.id)
      : vscode.l10n.t('You are now working on story #{0} on branch {1}.', found.story.id, branch),
  );
}

/** Worktrees share the configuration, so the branch is bound there too. */
async function startInWorktree(
  needs: StartNeeds,
  stories: FollowedStories,
  start: Start,
  repository: GitRepository,
  worktree: WantedWorktree,
): Promise<void> {
  const { branch, found } = start;
  const folder = await makeWorktree(repository, branch, worktree);
  try {
    await stories.set(repository, activeOf(found), branch);
    await submit(needs, start, vscode.l10n.t('The worktree of story #{0} is in {1}.', found.story.id, folder.fsPath));
  } catch (thrown) {
    const sentence = vscode.l10n.t('The worktree is in {0}. {1}', folder.fsPath, messageOf(thrown));
    throw thrown instanceof TrackerError
      ? new TrackerError(thrown.kind, sentence, { cause: thrown })
      : new Error(sentence, { cause: thrown });
  }
  await openWorktree(folder, worktree.open ?? 'not');
}

function activeOf({ key, story }: FoundStory): ActiveStory {
  return { ...key, storyId: story.id };
}

/** A change that waits for its server has been told of. */
async function submit(needs: StartNeeds, { found, edit }: Start, done: string): Promise<void> {
  const { key, story } = found;
  if (Object.keys(edit).length > 0) {
    const { waiting } = await submitIntents(needs, key, [{ kind: 'edit', storyId: story.id, edit }]);
    if (waiting) return;
  }
  needs.messages.status(done);
}

type EditNeeds = Pick<App, 'accounts' | 'backlogs' | 'log' | 'messages' | 'workspaceMemory'>;

/**
 * What changes in a story that someone starts: its state, its owner, its estimate when it needs one. `undefined`: the
 * person turned away. @throws TrackerError `input` for a story that is done.
 */
async function startingEdit(
  needs: EditNeeds,
  { key, story }: FoundStory,
  project: Project,
  caller: Caller,
): Promise<StoryEdit | undefined> {
  if (story.state === 'accepted') {
    throw new TrackerError('input', vscode.l10n.t('Story #{0} is already accepted.', story.id));
  }
  const me = (await ownNames(needs))[key.accountId];
  const isMine = me === undefined || story.ownedBy === me || (await keepsOwner(needs, story.id, story.ownedBy, caller));
  if (isMine === undefined) return undefined;
  const owned: StoryEdit = isMine ? {} : { ownedBy: me };
  const isUnderWay = isInProgress(story.state) && story.state !== 'rejected';
  if (isUnderWay || !statesOf(story.type).includes('started')) return owned;
  const started = await estimatedEdit('started', undefined, story, project);
  return started && { ...started, ...owned };
}

/** Nobody's story is taken away from them without a question. `undefined`: the person turned away. */
async function keepsOwner(
  { messages }: EditNeeds,
  storyId: number,
  owner: string | undefined,
  caller: Caller,
): Promise<boolean | undefined> {
  if (owner === undefined || caller === 'program') return false;
  const take = vscode.l10n.t('Take Over');
  const keep = vscode.l10n.t('Keep Owner');
  const answer = await messages.ask(
    vscode.l10n.t('Story #{0} is owned by {1}.', storyId, owner),
    undefined,
    take,
    keep,
  );
  return answer === undefined ? undefined : answer === keep;
}

type SetNeeds = Pick<App, 'git' | 'messages' | 'storyArgument'>;

/**
 * Set Active Story (contract.md): the story is worked on from now on, in the branch that is checked out. With `branch` it
 * is bound to that one, to be worked on whenever it is checked out.
 */
export async function setActiveStory(
  needs: SetNeeds,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const branch = branchArgument(args);
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Which story are you working on?'));
  const place = found && (await workPlace(needs, askedRepository(args.find(isPlainObject)).repository));
  if (!place) return;
  await stories.set(place.repository, { ...found.key, storyId: found.story.id }, branch || undefined);
  needs.messages.status(vscode.l10n.t('Story #{0} is now the active story.', found.story.id));
}

/** Where a story is to be worked on; without a repository, in the folder that is open. */
interface WorkPlace {
  readonly repository?: GitRepository;
}

/** The place that a command is about. `undefined`: the person turned away. @throws TrackerError when `asked` is none. */
async function workPlace({ git }: Pick<App, 'git'>, asked?: vscode.Uri): Promise<WorkPlace | undefined> {
  const hasGit = vscode.workspace.isTrusted && (await git.repositories()).length > 0;
  if (!hasGit && !asked) return {};
  const repository = await chooseRepository(git, asked);
  return repository && { repository };
}

/**
 * Stop Story (contract.md): the story that is meant, or else the one shown in the status bar, is no longer worked on, nor
 * when its branch is checked out again. Its state stays. @throws TrackerError `input` when it was not worked on.
 */
export async function stopStory(
  { messages }: Pick<App, 'messages'>,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const wanted = storyNameIn(args[0]);
  const { shown, all } = stories;
  const isWanted = ({ story }: WorkedStory) => story.storyId === wanted?.storyId && isMeant(story, wanted);
  const worked = wanted === undefined || (shown && isWanted(shown)) ? shown : all.find(isWanted);
  if (!worked) {
    throw new TrackerError(
      'input',
      wanted === undefined
        ? vscode.l10n.t('No active story.')
        : vscode.l10n.t('Story #{0} is not an active story.', wanted.storyId),
    );
  }
  await stories.set(worked.repository, undefined);
  messages.status(vscode.l10n.t('Story #{0} is no longer the active story.', worked.story.storyId));
}

interface Action extends vscode.QuickPickItem {
  readonly run: () => Thenable<unknown>;
}

/** What can be done with the story in the status bar, to pick from; without one, a story to work on is asked for. */
export async function activeStoryActions(stories: FollowedStories): Promise<void> {
  const { shown } = stories;
  if (!shown) return vscode.commands.executeCommand(commandIds.setActiveStory);
  const { projectId, storyId } = shown.story;
  const story = { storyId, projectId };
  const run =
    (id: string, ...args: readonly unknown[]) =>
    () =>
      vscode.commands.executeCommand(id, ...args);
  const repository = shown.repository && { repository: shown.repository.rootUri.toString() };
  const actions: readonly Action[] = [
    { label: vscode.l10n.t('$(open-preview) Open'), run: run(commandIds.openStory, story) },
    ...(repository
      ? [
          {
            label: vscode.l10n.t('$(git-commit) Insert Marker'),
            run: run(commandIds.insertMarker, { ...story, ...repository }),
          },
        ]
      : []),
    { label: vscode.l10n.t('$(arrow-right) Change State…'), run: run(commandIds.changeState, story) },
    { label: vscode.l10n.t('$(arrow-swap) Work on Another Story…'), run: run(commandIds.setActiveStory) },
    { label: vscode.l10n.t('$(debug-stop) Stop'), run: run(commandIds.stopStory) },
  ];
  const picked = await vscode.window.showQuickPick(actions, { placeHolder: vscode.l10n.t('Story #{0}', storyId) });
  await picked?.run();
}
