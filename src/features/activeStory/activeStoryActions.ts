import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { FollowedStories } from './followedStories.ts';

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
