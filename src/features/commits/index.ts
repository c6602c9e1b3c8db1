import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import type { LinkNeeds } from './linkCommits.ts';

type Needs = LinkNeeds & Pick<App, 'commands' | 'storiesView'>;

/** Where commit messages are written: the commit box and the file that `git commit` waits for. */
const commitMessages: vscode.DocumentSelector = [{ language: 'scminput' }, { language: 'git-commit' }];

/** Commits and stories: markers in commit messages, and commits that are linked afterwards. */
export function register(app: Needs): vscode.Disposable {
  const stories: vscode.CompletionItemProvider = {
    provideCompletionItems: async (document, position) =>
      (await import('./markerCompletion.ts')).proposedStories(app, document, position),
  };
  return vscode.Disposable.from(
    app.commands.command(commandIds.insertMarker, async (...args) =>
      (await import('./insertMarker.ts')).insertMarker(app, ...args),
    ),
    app.commands.command(commandIds.removeMarker, async (argument) =>
      (await import('./removeMarker.ts')).removeMarker(app, argument),
    ),
    app.commands.command(commandIds.linkCommits, async (argument) =>
      (await import('./linkCommits.ts')).linkCommits(app, argument),
    ),
    vscode.languages.registerCompletionItemProvider(commitMessages, stories, '#'),
  );
}
