import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import type { SettingsPanels } from './commands.ts';

type Needs = Pick<App, 'backlogs' | 'commands' | 'log' | 'messages' | 'openDrafts'>;

/** The settings of a project in an editor tab. */
export function register(app: Needs, extension: vscode.Uri): vscode.Disposable {
  let opened: Promise<SettingsPanels> | undefined;
  const panels = () => {
    opened ??= import('./commands.ts').then((module) => new module.SettingsPanels(app, extension));
    return opened;
  };
  return vscode.Disposable.from(
    { dispose: () => void opened?.then((all) => all.dispose()) },
    vscode.window.registerWebviewPanelSerializer('storyTracker.projectSettings', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await panels()).revive(panel, state),
    }),
    app.commands.command(commandIds.projectSettings, async (argument) => (await panels()).openMeant(argument)),
  );
}
