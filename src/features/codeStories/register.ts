import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { todoWords } from '../../host/shell/settings.ts';
import type { AwaitedNumbers } from './awaitedNumbers.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'commands' | 'log' | 'messages' | 'workspaceMemory'>;

/** Under which a workspace remembers the texts that wait for the numbers of their stories. */
const AWAITED = 'storyTracker.awaitedNumbers';

/** Documents that people write code and text in. */
const TEXTS = ['file', 'untitled', 'vscode-vfs', 'vscode-notebook-cell'].map((scheme) => ({ scheme }));

/** Stories made of what stands in code, whose numbers are written there. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  let loading: Promise<AwaitedNumbers> | undefined;
  const awaitedNumbers = () => {
    loading ??= import('./awaitedNumbers.ts').then((module) => new module.AwaitedNumbers(app, AWAITED));
    return loading;
  };
  const needs = { ...app, awaitedNumbers };
  if (app.workspaceMemory.get(AWAITED) !== undefined) void awaitedNumbers().then((all) => all.look(undefined));
  const { QuickFix, Refactor } = vscode.CodeActionKind;
  return vscode.Disposable.from(
    { dispose: () => void loading?.then((all) => all.dispose()) },
    vscode.languages.registerCodeActionsProvider(
      TEXTS,
      {
        provideCodeActions: async (document, range) =>
          mayBeMade(document, range) ? (await load()).storyActions(needs, document, range) : undefined,
      },
      { providedCodeActionKinds: [QuickFix, Refactor] },
    ),
    app.commands.command(commandIds.createStoryFromTodo, async (...args) =>
      (await load()).createStoryFromTodo(needs, ...args),
    ),
    app.commands.command(commandIds.createStoryFromSelection, async (...args) =>
      (await load()).createStoryFromSelection(needs, ...args),
    ),
  );
}

/** Where nothing is selected and the line has none of the words, nothing is loaded. */
function mayBeMade(document: vscode.TextDocument, range: vscode.Range): boolean {
  if (!range.isEmpty) return true;
  const { text } = document.lineAt(range.start.line);
  return todoWords(document.uri).some((word) => text.includes(word));
}
