import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import type { RetryNeeds } from './commands.ts';
import type { ConflictNeeds } from './conflictChoice.ts';

type Needs = ConflictNeeds & Pick<App, 'accounts' | 'backlogs' | 'commands' | 'engine' | 'log' | 'messages'>;

const load = () => import('./commands.ts');

/** What servers have not taken yet: to look at, also as what would be sent, to try again, to give up. */
export function register(app: Needs): vscode.Disposable {
  const { commands } = app;
  const needs = { ...app, asked: new Set<string>() };
  const provideTextDocumentContent = async (uri: vscode.Uri) => (await load()).previewText(app, uri);
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider('story-tracker-unsent', { provideTextDocumentContent }),
    vscode.workspace.registerTextDocumentContentProvider('story-tracker-conflict', {
      provideTextDocumentContent: async (uri) => (await load()).sideDocument(app, uri),
    }),
    tellRefusals(needs),
    commands.command(commandIds.showOutbox, async (asked: unknown) => (await load()).showOutbox(needs, asked)),
    commands.command(commandIds.retryOutbox, async () => (await load()).retryOutbox(needs)),
  );
}

type RefusalNeeds = Pick<RetryNeeds, 'backlogs' | 'messages' | 'asked'>;

/** Tells of changes that had to wait and were then refused: once, in the window where the person is, with what the server said. */
function tellRefusals({ backlogs, messages, asked }: RefusalNeeds): vscode.Disposable {
  const waiting = new Set<string>();
  const untold = new Set<string>();
  const tell = async () => {
    if (untold.size === 0 || !vscode.window.state.focused) return;
    const refused = backlogs.unsent.filter(({ id, state }) => state === 'failed' && untold.has(id));
    untold.clear();
    if (refused.length > 0) await (await load()).offerRefused({ backlogs, messages }, refused);
  };
  const look = () => {
    for (const { id, state, intent, problem } of backlogs.unsent) {
      // Who links commits is told by that when they are refused at once.
      if (state !== 'failed' && (intent.kind !== 'link' || problem)) waiting.add(id);
      else if (state !== 'failed') continue;
      else if (waiting.delete(id) && !asked.delete(id)) untold.add(id);
    }
    void tell();
  };
  return vscode.Disposable.from(backlogs.onDidChange(look), vscode.window.onDidChangeWindowState(tell));
}
