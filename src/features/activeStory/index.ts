import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { hasShownStories } from './shownStory.ts';
import type { Following, FollowingNeeds } from './startFollowing.ts';

type Needs = FollowingNeeds & Pick<App, 'activeStories' | 'commands' | 'messages' | 'shownViews' | 'storyArgument'>;

/** The story that is worked on in a repository: chosen, shown in the status bar, and following the branch. */
export function register(app: Needs): vscode.Disposable {
  const { commands } = app;
  let started: Promise<Following> | undefined;
  const start = () => {
    started ??= import('./startFollowing.ts').then(({ startFollowing }) => startFollowing(app));
    return started;
  };
  const stories = async () => (await start()).stories;
  app.activeStories.attach(stories, () => started !== undefined || hasShownStories(app.workspaceMemory));
  // A window where a story was shown shows it again; where none was, it waits until somebody looks at stories.
  if (hasShownStories(app.workspaceMemory)) void start();
  return vscode.Disposable.from(
    app.shownViews.onFirst(start),
    { dispose: () => void started?.then((following) => following.dispose()) },
    commands.command(commandIds.startStory, async (...args) =>
      (await import('./startStory.ts')).startStory(app, await stories(), ...args),
    ),
    commands.command(commandIds.setActiveStory, async (...args) =>
      (await import('./setActiveStory.ts')).setActiveStory(app, await stories(), ...args),
    ),
    commands.command(commandIds.stopStory, async (...args) =>
      (await import('./stopStory.ts')).stopStory(app, await stories(), ...args),
    ),
    commands.command(commandIds.activeStoryActions, async () =>
      (await import('./activeStoryActions.ts')).activeStoryActions(await stories()),
    ),
  );
}
