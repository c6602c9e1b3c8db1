import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { isAnyoneSignedIn, whenSignedIn } from '../../host/accounts/whenSignedIn.ts';
import type { App } from '../../host/app.ts';
import type { CodeNeeds, CodeStories } from './commands.ts';

/** Under which a workspace remembers the texts that wait for the numbers of their stories. */
const AWAITED = 'storyTracker.awaitedNumbers';

/** Documents that people write code and text in. */
const TEXTS = ['file', 'untitled', 'vscode-vfs', 'vscode-notebook-cell'].map((scheme) => ({ scheme }));

/** Stories made of what stands in code, whose numbers are written there. */
export function register(app: CodeNeeds & Pick<App, 'commands'>): vscode.Disposable {
  let loading: Promise<CodeStories> | undefined;
  const load = () => {
    loading ??= import('./commands.ts').then((module) => new module.CodeStories(app, AWAITED));
    return loading;
  };
  const isAwaiting = app.workspaceMemory.get(AWAITED) !== undefined;
  return vscode.Disposable.from(
    isAwaiting ? whenSignedIn(app, load) : vscode.Disposable.from(),
    { dispose: () => void loading?.then((stories) => stories.dispose()) },
    vscode.languages.registerCodeActionsProvider(TEXTS, {
      provideCodeActions: async (document, range, context) =>
        (await isAnyoneSignedIn(app)) ? (await load()).actions(document, range, context) : [],
    }),
    app.commands.command(commandIds.createStoryFromTodo, async (...args) => (await load()).fromTodo(...args)),
    app.commands.command(commandIds.createStoryFromSelection, async (...args) => (await load()).fromSelection(...args)),
  );
}
