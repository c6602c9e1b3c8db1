import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { notifications } from '../../host/settings.ts';
import type { ActivityRow } from './activityRow.ts';
import type { ActivityView } from './activityView.ts';
import type { Toasts } from './toasts.ts';

/** The view *Activity*, its notifications and the list for a stand-up. What does it is read when something is to be shown. */
export function register(app: App): vscode.Disposable {
  let opened: Promise<ActivityView> | undefined;
  let toasting: Promise<Toasts> | undefined;
  let wished = notifications().length > 0;
  const warn = (thrown: unknown) => app.log.warn(String(thrown));
  const changed = new vscode.EventEmitter<ActivityRow[] | undefined>();
  const open = () => {
    opened ??= import('./activityView.ts').then((module) => new module.ActivityView(app, view, changed));
    return opened;
  };
  const toasts = () => {
    toasting ??= import('./toasts.ts').then((module) => new module.Toasts(app));
    return toasting;
  };
  const view: vscode.TreeView<ActivityRow> = vscode.window.createTreeView<ActivityRow>('storyTracker.activity', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (row) => (await open()).children(row),
      getTreeItem: async (row) => (await open()).item(row),
    },
  });
  const follow = async () => {
    await (await open()).follow();
    if (wished) await (await toasts()).tell();
  };
  return vscode.Disposable.from(
    view,
    changed,
    app.shownViews.add(view),
    { dispose: () => void opened?.then((one) => one.dispose()) },
    { dispose: () => void toasting?.then((one) => one.dispose()) },
    vscode.workspace.onDidChangeConfiguration(async () => {
      const before = wished;
      wished = notifications().length > 0;
      if (wished && !before) await (await toasts()).skip().catch(warn);
    }),
    app.engine.onDidChangeActivities(() => follow().catch(warn)),
    app.commands.command(commandIds.markActivityRead, async () => (await open()).markRead()),
    app.commands.command(commandIds.showOlderActivity, async () => (await open()).showOlder()),
    app.commands.command(commandIds.copyMyActivity, async (since) =>
      (await import('./copyMyActivity.ts')).copyMyActivity(app, since),
    ),
  );
}
