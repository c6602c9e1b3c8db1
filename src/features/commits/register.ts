import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { commitMessages } from '../../host/git/gitBridge.ts';
import type { LinkNeeds } from './linkCommits.ts';
import type { MarkerCompletion } from './markerCompletion.ts';

type Needs = LinkNeeds & Pick<App, 'activeStories' | 'commands' | 'storiesView' | 'workspaceMemory'>;

/** Commits and stories: markers in commit messages, and commits that are linked afterwards. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  let completion: Promise<MarkerCompletion> | undefined;
  const stories: vscode.CompletionItemProvider = {
    provideCompletionItems: async (document, position) => {
      completion ??= import('./markerCompletion.ts').then(({ MarkerCompletion }) => new MarkerCompletion(app));
      return (await completion).proposed(document, position);
    },
  };
  const newCommits = import('./newCommits.ts').then(({ NewCommitLinks }) => new NewCommitLinks(app));
  newCommits.catch((thrown: unknown) => app.log.error(String(thrown)));
  return vscode.Disposable.from(
    { dispose: () => void newCommits.then((links) => links.dispose()) },
    app.commands.command(commandIds.insertMarker, async (...args) => (await load()).insertMarker(app, ...args)),
    app.commands.command(commandIds.removeMarker, async (argument) => (await load()).removeMarker(app, argument)),
    app.commands.command(commandIds.linkCommits, async (argument) => (await load()).linkCommits(app, argument)),
    vscode.languages.registerCompletionItemProvider(commitMessages, stories, '#'),
  );
}
