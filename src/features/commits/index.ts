import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { insertMarker } from './insertMarker.ts';
import { type LinkNeeds, linkCommits } from './linkCommits.ts';
import { commitMessages, MarkerCompletion } from './markerCompletion.ts';
import { removeMarker } from './removeMarker.ts';

type Needs = LinkNeeds & Pick<App, 'commands' | 'storiesView'>;

/** Commits and stories: markers in commit messages, and commits that are linked afterwards. */
export function register(app: Needs): vscode.Disposable {
  return vscode.Disposable.from(
    app.commands.command(commandIds.insertMarker, (...args) => insertMarker(app, ...args)),
    app.commands.command(commandIds.removeMarker, (argument) => removeMarker(app, argument)),
    app.commands.command(commandIds.linkCommits, (argument) => linkCommits(app, argument)),
    vscode.languages.registerCompletionItemProvider(commitMessages, new MarkerCompletion(app), '#'),
  );
}
