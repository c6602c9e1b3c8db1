import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { ReadOnlyTexts } from '../../host/shell/readOnlyTexts.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'commands' | 'engine' | 'log' | 'messages' | 'storiesView'>;

const load = () => import('./commands.ts');

/** Whole projects as files: into a server and out of it. */
export function register(app: Needs): vscode.Disposable {
  const reports = new ReadOnlyTexts('story-tracker-import');
  const needs = { ...app, reports };
  return vscode.Disposable.from(
    reports,
    app.commands.command(commandIds.importStories, async (asked) => (await load()).importStories(needs, asked)),
    app.commands.command(commandIds.exportProject, async (asked) => (await load()).exportProject(app, asked)),
    app.commands.command(commandIds.moveToServer, async (asked) => (await load()).moveToServer(app, asked)),
  );
}
