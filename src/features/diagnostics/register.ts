import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import type { RememberingLog } from '../../host/shell/rememberingLog.ts';
import type { DiagnosticNeeds } from './commands.ts';

/** What a report of a fault needs, to copy or to send. */
export function register(
  app: DiagnosticNeeds & Pick<App, 'commands'>,
  log: RememberingLog,
  extension: vscode.Extension<unknown>,
): vscode.Disposable {
  const load = () => import('./commands.ts');
  return vscode.Disposable.from(
    app.commands.command(commandIds.copyDiagnostics, async () => (await load()).copyDiagnostics(app, log, extension)),
    app.commands.command(commandIds.reportIssue, async () => (await load()).reportIssue(app, log, extension)),
  );
}
