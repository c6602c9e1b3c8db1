import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';

type Needs = Pick<App, 'accounts' | 'commands' | 'engine' | 'git' | 'messages'>;

/** Hooks around commits: one of the repository that writes markers without VS Code, and the server's for pushes. */
export function register(app: Needs): vscode.Disposable {
  return vscode.Disposable.from(
    app.commands.command(commandIds.installCommitHook, async (argument) =>
      (await import('./installCommitHook.ts')).installCommitHook(app, argument),
    ),
    app.commands.command(commandIds.removeCommitHook, async (argument) =>
      (await import('./installCommitHook.ts')).removeCommitHook(app, argument),
    ),
    app.commands.command(commandIds.copyCommitHookAddress, async () =>
      (await import('./copyCommitHookAddress.ts')).copyCommitHookAddress(app),
    ),
  );
}
