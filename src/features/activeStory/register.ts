import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { isAnyoneSignedIn, whenSignedIn } from '../../host/accounts/whenSignedIn.ts';
import type { App } from '../../host/app.ts';
import { hasShownStories } from './shownStory.ts';
import type { Following, FollowingNeeds } from './startFollowing.ts';
import type { EditNeeds } from './workEntry.ts';

type Needs = FollowingNeeds &
  EditNeeds &
  Pick<App, 'activeStories' | 'commands' | 'history' | 'messages' | 'shownViews' | 'storiesView' | 'storyArgument'>;

/** The story that is worked on in a repository: chosen, shown in the status bar, and following the branch. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { commands } = app;
  let started: Promise<Following> | undefined;
  const start = () => {
    started ??= import('./startFollowing.ts').then(({ startFollowing }) => startFollowing(app));
    return started;
  };
  const stories = async () => (await start()).stories;
  app.activeStories.attach(stories, () => started !== undefined || hasShownStories(app.workspaceMemory));
  // A window where a story was shown shows it again, and one where commits are written, as in a new worktree, shows that of
  // its branch; elsewhere it waits until someone views stories.
  const shown = hasShownStories(app.workspaceMemory) ? whenSignedIn(app, start) : vscode.Disposable.from();
  const look = async ({ languageId }: vscode.TextDocument) => {
    if (!started && languageId === 'scminput' && (await isAnyoneSignedIn(app))) await start();
  };
  for (const document of vscode.workspace.textDocuments) void look(document);
  return vscode.Disposable.from(
    shown,
    vscode.workspace.onDidOpenTextDocument(look),
    app.shownViews.onFirst(start),
    { dispose: () => void started?.then((following) => following.dispose()) },
    commands.command(commandIds.startStory, async (...args) =>
      (await load()).startStory(app, await stories(), ...args),
    ),
    commands.command(commandIds.finishStory, async (...args) =>
      (await load()).finishStory(app, await stories(), ...args),
    ),
    commands.command(commandIds.setActiveStory, async (...args) =>
      (await load()).setActiveStory(app, await stories(), ...args),
    ),
    commands.command(commandIds.stopStory, async (...args) => (await load()).stopStory(app, await stories(), ...args)),
    commands.command(commandIds.activeStoryActions, async () => (await load()).activeStoryActions(await stories())),
  );
}
