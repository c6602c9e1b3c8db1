import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { IterationNode, MoreNode } from '../../host/nodes.ts';
import { newProject } from './newProject.ts';
import { newStory } from './newStory.ts';
import { refreshOnReturn } from './refreshOnReturn.ts';
import { StoriesTreeView } from './storiesTreeView.ts';
import { registerStoryCommands } from './storyCommands.ts';
import { uriHandler } from './uriHandler.ts';

/** The view *Stories* and what is done with its rows. */
export function register(app: App): vscode.Disposable {
  const { backlogs, commands, storiesView } = app;
  const view = new StoriesTreeView(app);
  storiesView.attach(view);
  return vscode.Disposable.from(
    view,
    refreshOnReturn(app, view),
    registerStoryCommands(app),
    vscode.window.registerUriHandler(uriHandler(app)),
    commands.command(commandIds.refresh, () => withProgress(() => backlogs.refresh())),
    commands.command(commandIds.showLog, () => app.messages.openLog()),
    commands.command(commandIds.newProject, () => newProject(app)),
    commands.command(commandIds.newStory, (from) => newStory(app, from)),
    commands.command(commandIds.loadMoreDone, (row) => withProgress(() => backlogs.loadMoreDone(doneRow(row).key))),
  );
}

function doneRow(row: unknown): MoreNode | IterationNode {
  if (row instanceof MoreNode || row instanceof IterationNode) return row;
  throw new TrackerError('input', vscode.l10n.t('Use "Show More" below the done iterations.'));
}

function withProgress<T>(run: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: { viewId: 'storyTracker.stories' } }, run);
}
