import type * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';

type Needs = Pick<App, 'backlogs' | 'commands' | 'messages' | 'storyArgument'>;

/** What moves a story on: its state, and the estimate that a state asks for. */
export function register(app: Needs): vscode.Disposable {
  return app.commands.command(commandIds.changeState, async (...args) =>
    (await import('./changeState.ts')).changeState(app, ...args),
  );
}
