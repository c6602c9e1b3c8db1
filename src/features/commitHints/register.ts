import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { isAnyoneSignedIn } from '../../host/accounts/whenSignedIn.ts';
import type { App } from '../../host/app.ts';
import { commitMessages } from '../../host/git/gitBridge.ts';
import type { MessageHints } from './messageHints.ts';

type Needs = Pick<App, 'accounts' | 'activeStories' | 'backlogs' | 'commands' | 'log' | 'workspaceMemory'>;

/** What a commit message is told while it is written: cards and links of the stories it names, and what will not work. */
export function register(app: Needs): vscode.Disposable {
  let loaded: Promise<MessageHints> | undefined;
  const hints = () => {
    loaded ??= import('./messageHints.ts').then((module) => new module.MessageHints(app, isMessage));
    return loaded;
  };
  const isAtStake = (text: string) => text.includes('#') || (app.activeStories.isLikely && text.trim() !== '');
  const ifNamed = async <T>(document: vscode.TextDocument, ask: (hints: MessageHints) => Promise<T>) =>
    isAtStake(document.getText()) && (await isAnyoneSignedIn(app)) ? ask(await hints()) : undefined;
  const links = () => import('./messageFinder.ts');
  // Nothing is read before a message names something or could name what is worked on; from then on all messages are
  // followed there.
  const look = async (document: vscode.TextDocument) => {
    const isWanted = () => !loaded && isMessage(document) && isAtStake(document.getText());
    if (isWanted() && (await isAnyoneSignedIn(app)) && isWanted()) void hints();
  };
  for (const document of vscode.workspace.textDocuments) void look(document);
  return vscode.Disposable.from(
    { dispose: () => void loaded?.then((all) => all.dispose()) },
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)),
    vscode.languages.registerHoverProvider(commitMessages, {
      provideHover: (document, position, token) =>
        ifNamed(document, async ({ finder }) => (await links()).cardAt(finder, document, position, token)),
    }),
    vscode.languages.registerDocumentLinkProvider(commitMessages, {
      provideDocumentLinks: (document, token) =>
        ifNamed(document, async ({ finder }) => (await links()).messageLinks(finder, document, token)),
    }),
    vscode.languages.registerCodeActionsProvider(
      commitMessages,
      {
        provideCodeActions: (document, range, context, token) =>
          ifNamed(document, (all) => all.quickFixes(document, range, context, token)),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
    app.commands.command(commandIds.replaceMarkedStory, async (...args) =>
      (await import('./messageHints.ts')).replaceMarkedStory(app, ...args),
    ),
  );
}

function isMessage(document: vscode.TextDocument): boolean {
  return vscode.languages.match(commitMessages, document) > 0;
}
