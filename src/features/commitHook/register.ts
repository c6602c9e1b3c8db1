import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';

type Needs = Pick<App, 'accounts' | 'commands' | 'engine' | 'git' | 'messages'>;

/** Hooks around commits: one of the repository that writes markers without VS Code, and the server's for pushes. */
export function register(app: Needs): vscode.Disposable {
  const load = () => import('./commands.ts');
  return vscode.Disposable.from(
    app.commands.command(commandIds.installCommitHook, async (argument) =>
      (await load()).installCommitHook(app, argument),
    ),
    app.commands.command(commandIds.removeCommitHook, async (argument) =>
      (await load()).removeCommitHook(app, argument),
    ),
    app.commands.command(commandIds.copyCommitHookAddress, async () => (await load()).copyCommitHookAddress(app)),
  );
}
