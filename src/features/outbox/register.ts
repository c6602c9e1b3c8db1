import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { tellRefusals } from './tellRefusals.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'commands' | 'engine' | 'messages'>;

/** What servers have not taken yet: to look at, also as what would be sent, to try again, to give up. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { commands } = app;
  const needs = { ...app, asked: new Set<string>() };
  const provideTextDocumentContent = async (uri: vscode.Uri) => (await import('./preview.ts')).previewText(app, uri);
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider('story-tracker-unsent', { provideTextDocumentContent }),
    tellRefusals(needs),
    commands.command(commandIds.showOutbox, async (asked: unknown) => (await load()).showOutbox(needs, asked)),
    commands.command(commandIds.retryOutbox, async () => (await load()).retryOutbox(needs)),
  );
}
