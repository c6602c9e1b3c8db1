import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { tellRefusals } from './tellRefusals.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'commands' | 'messages'>;

/** What servers have not taken yet: to look at, to try again, to give up. */
export function register(app: Needs): vscode.Disposable {
  const { commands } = app;
  const needs = { ...app, asked: new Set<string>() };
  return vscode.Disposable.from(
    tellRefusals(needs),
    commands.command(commandIds.showOutbox, async () => (await import('./showOutbox.ts')).showOutbox(needs)),
    commands.command(commandIds.retryOutbox, async () => (await import('./retryOutbox.ts')).retryOutbox(needs)),
  );
}
