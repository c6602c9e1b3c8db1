import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { IterationNode, MoreNode } from '../../host/tree/nodes.ts';
import { StoriesTreeView } from './tree/storiesTreeView.ts';

/** The view *Stories* and what is done with its rows. */
export function register(app: App): vscode.Disposable {
  const load = () => import('./commands.ts');
  const { backlogs, commands, storiesView } = app;
  const run = (name: 'newStory' | 'duplicateStory' | 'copyTitle' | 'copyId' | 'copyLink' | 'copyMarker') => {
    return async (...args: readonly unknown[]) => (await load())[name](app, ...args);
  };
  const view = new StoriesTreeView(app);
  const shown = async () => (await view.load()).shown;
  storiesView.attach(view);
  return vscode.Disposable.from(
    view,
    app.shownViews.add(view),
    vscode.window.registerUriHandler({
      handleUri: async (uri) => (await load()).showLinkedStory(app, uri),
    }),
    commands.command(commandIds.refresh, () => withProgress(() => backlogs.refresh({ isAskedFor: true }))),
    commands.command(commandIds.findStory, async () => (await load()).findStory(app)),
    commands.command(commandIds.filterStories, async (it) => (await load()).filterStories(app, await shown(), it)),
    commands.command(commandIds.clearFilter, async () => (await shown()).filter('')),
    commands.command(commandIds.groupBy, async (it) => (await load()).groupBy(await shown(), it)),
    commands.command(commandIds.saveFilter, async (it) => (await load()).saveFilter(app, await shown(), it)),
    commands.command(commandIds.editFilter, async (it) => (await load()).editFilter(app, await shown(), it)),
    commands.command(commandIds.renameFilter, async (it) => (await load()).renameFilter(it)),
    commands.command(commandIds.removeFilter, async (it) => (await load()).removeFilter(app, it)),
    commands.command(commandIds.searchDone, async (row) =>
      withProgress(async () => (await view.load()).searchDone(row)),
    ),
    commands.command(commandIds.showLog, () => app.messages.openLog()),
    commands.command(commandIds.openWalkthrough, async () => (await load()).openWalkthrough()),
    commands.command(commandIds.newProject, async () => (await load()).newProject(app)),
    commands.command(commandIds.hideProject, async (it) => (await load()).hideProject(app, it)),
    commands.command(commandIds.pinProject, async (it) => (await load()).pinProject(app, it)),
    commands.command(commandIds.unpinProject, async (it) => (await load()).unpinProject(app, it)),
    commands.command(commandIds.chooseWorkspaceProjects, async () => (await load()).chooseWorkspaceProjects(app)),
    commands.command(commandIds.showHiddenProjects, async () => (await load()).showHiddenProjects(app)),
    commands.command(commandIds.newStory, run('newStory')),
    commands.command(commandIds.duplicateStory, run('duplicateStory')),
    commands.command(commandIds.openInBrowser, async (it) => (await load()).openInBrowser(app, it)),
    commands.command(commandIds.copyTitle, run('copyTitle')),
    commands.command(commandIds.copyId, run('copyId')),
    commands.command(commandIds.copyLink, run('copyLink')),
    commands.command(commandIds.copyMarker, run('copyMarker')),
    commands.command(commandIds.openRow, async (row) => (await load()).openRow(row)),
    commands.command(commandIds.tickRow, async (row) => (await load()).tickRow(row)),
    commands.command(commandIds.deleteRow, async (row) => (await load()).deleteRow(app, row)),
    commands.command(commandIds.renameRow, async (row) => (await load()).renameRow(row)),
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
