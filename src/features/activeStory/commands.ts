import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import { isMeant } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { askedRepository } from '../../host/git/chooseRepository.ts';
import { callerOf, isPlainObject } from '../../host/shell/commands.ts';
import { storyNameIn } from '../../host/story/storyArgument.ts';
import { askToBind } from './boundElsewhere.ts';
import type { FollowedStories, WorkedStory } from './followedStories.ts';
import { branchArgument } from './pickBranch.ts';
import { workPlace } from './workPlace.ts';

export { finishStory } from './finishStory.ts';
export { startStory } from './startStory.ts';

type SetNeeds = Pick<App, 'backlogs' | 'engine' | 'git' | 'log' | 'messages' | 'storyArgument' | 'workspaceMemory'>;

/**
 * Set Active Story (contract.md): the story is worked on from now on, in the branch that is checked out. With `branch` it
 * is bound to that one, to be worked on whenever it is checked out. A branch that is another story's is not taken from it unasked.
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
  const story = { ...found.key, storyId: found.story.id };
  const { repository } = place;
  await repository?.status();
  const wanted = repository && { repository, story, branch: branch || undefined, caller: callerOf(args) };
  const bound = wanted ? await askToBind(needs, stories, wanted) : { answer: 'bind' as const };
  if (bound?.answer === 'start') {
    const there = { ...story, ...(repository && { repository: repository.rootUri.toString() }), caller: 'person' };
    await vscode.commands.executeCommand(commandIds.startStory, there);
  }
  if (bound?.answer !== 'bind') return;
  await stories.set(repository, story, branch || undefined);
  const done = vscode.l10n.t('Story #{0} is now the active story.', found.story.id);
  needs.messages.status([done, bound.said].filter(Boolean).join(' '));
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
    {
      label: vscode.l10n.t('$(check-all) Finish Story…'),
      run: run(commandIds.finishStory, { ...story, ...repository, caller: 'person' }),
    },
    { label: vscode.l10n.t('$(arrow-swap) Work on Another Story…'), run: run(commandIds.setActiveStory) },
    { label: vscode.l10n.t('$(debug-stop) Stop'), run: run(commandIds.stopStory) },
  ];
  const picked = await vscode.window.showQuickPick(actions, { placeHolder: vscode.l10n.t('Story #{0}', storyId) });
  await picked?.run();
}
