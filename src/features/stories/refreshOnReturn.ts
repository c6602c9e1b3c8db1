import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import type { StoriesTreeView } from './storiesTreeView.ts';

const OLD_AFTER_MS = 30_000;

/** Reads the backlogs again when a person comes back to the window or the view, and what is shown is old. */
export function refreshOnReturn({ backlogs, log }: Pick<App, 'backlogs' | 'log'>, view: StoriesTreeView) {
  const look = async () => {
    const isOld = backlogs.askedAt !== undefined && Date.now() - backlogs.askedAt > OLD_AFTER_MS;
    if (!isOld || !view.isVisible || !vscode.window.state.focused) return;
    await backlogs.refresh().catch((thrown: unknown) => log.warn(String(thrown)));
  };
  return vscode.Disposable.from(vscode.window.onDidChangeWindowState(look), view.onDidChangeVisibility(look));
}
