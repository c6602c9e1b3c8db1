import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import type { App } from '../../host/app.ts';
import { notifications } from '../../host/shell/settings.ts';
import type { ActivityView } from './activityView.ts';
import type { ActivityRow } from './threads.ts';
import type { Toasts } from './toasts.ts';

/** So long what is new is left to windows with other wishes before one that has none has it count as told. */
const LEFT_TO_OTHERS_MS = 20_000;
/** How long to leave it to the window that has the focus. */
const LEFT_TO_FOCUSED_MS = 3000;

/** The view *Activity*, its notifications and the list for a stand-up. What does it is read when something is to be shown. */
export function register(app: App): vscode.Disposable {
  let opened: Promise<ActivityView> | undefined;
  let toasting: Promise<Toasts> | undefined;
  let wished = notifications().length > 0;
  let leaving: NodeJS.Timeout | undefined;
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
    clearTimeout(leaving);
    if (wished && vscode.window.state.focused) await tell();
    else leaving = setTimeout(leave, wished ? LEFT_TO_FOCUSED_MS : LEFT_TO_OTHERS_MS);
  };
  const leave = () => (wished ? tell() : skip()).catch(warn);
  const tell = async () => (await toasts()).tell();
  /** Activity that no one wanted notifications for is not shown later, once they do. */
  const skip = async () => (await toasts()).skip();
  return vscode.Disposable.from(
    view,
    changed,
    app.shownViews.add(view),
    { dispose: () => void opened?.then((one) => one.dispose()) },
    { dispose: () => void toasting?.then((one) => one.dispose()) },
    { dispose: () => clearTimeout(leaving) },
    vscode.workspace.onDidChangeConfiguration(async () => {
      const before = wished;
      wished = notifications().length > 0;
      if (wished && !before) await skip().catch(warn);
    }),
    app.engine.onDidChangeActivities(() => follow().catch(warn)),
    app.commands.command(commandIds.markActivityRead, async () => (await open()).markRead()),
    app.commands.command(commandIds.showOlderActivity, async () => (await open()).showOlder()),
    app.commands.command(commandIds.copyMyActivity, async (since) =>
      (await import('./copyMyActivity.ts')).copyMyActivity(app, since),
    ),
  );
}
