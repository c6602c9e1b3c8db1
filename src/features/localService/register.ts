import type * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';

interface Needs extends Pick<App, 'commands' | 'log' | 'messages'> {
  /** Path of the service's program. */
  readonly script: string;
}

/** What a person does with the built-in service itself. */
export function register(needs: Needs): vscode.Disposable {
  return needs.commands.command(commandIds.backUp, async (argument) =>
    (await import('./commands.ts')).backUp(needs, argument),
  );
}
