import * as vscode from 'vscode';
import * as account from './features/account/register.ts';
import * as activeStory from './features/activeStory/register.ts';
import * as activity from './features/activity/register.ts';
import * as attachments from './features/attachments/register.ts';
import * as codeStories from './features/codeStories/register.ts';
import * as commitHints from './features/commitHints/register.ts';
import * as commits from './features/commits/register.ts';
import * as localService from './features/localService/localService.ts';
import * as outbox from './features/outbox/register.ts';
import * as reorder from './features/reorder/register.ts';
import * as stories from './features/stories/register.ts';
import * as storyLinks from './features/storyLinks/register.ts';
import * as storyPanel from './features/storyPanel/register.ts';
import * as undo from './features/undo/register.ts';
import * as work from './features/work/register.ts';
import { Accounts } from './host/accounts/accounts.ts';
import { whenSignedIn } from './host/accounts/whenSignedIn.ts';
import { type App, createBacklogs, createDrafts, createStoryArgument } from './host/app.ts';
import { Engine } from './host/engine/engine.ts';
import { ActiveStoryHolder } from './host/git/activeStoryHolder.ts';
import { GitBridge } from './host/git/gitBridge.ts';
import { Commands } from './host/shell/commands.ts';
import { Messages } from './host/shell/messages.ts';
import { ShownViews } from './host/shell/shownViews.ts';
import { RestoredStories } from './host/story/restoredStories.ts';
import { UndoHistory } from './host/story/undoHistory.ts';
import { StoriesViewHolder } from './host/tree/storiesView.ts';
import { TreeDrops } from './host/tree/treeDrops.ts';

let stop: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Story Tracker', { log: true });
  const messages = new Messages(log, () => log.show());
  const commands = new Commands(log, messages);
  const service = new localService.LocalService(context.asAbsolutePath('dist/service.js'), log);
  const engine = new Engine(
    context.asAbsolutePath('dist/worker.js'),
    log,
    vscode.Uri.joinPath(context.globalStorageUri, 'replica.sqlite').fsPath,
    context.secrets,
  );
  const accounts = new Accounts(context.secrets, engine, service, context.globalState);
  const backlogs = createBacklogs(accounts, log);
  const storiesView = new StoriesViewHolder();
  const likelyStories = async () => (await import('./host/story/likelyStories.ts')).activeAndOwnStories(app);
  const app: App = {
    log,
    messages,
    commands,
    engine,
    accounts,
    backlogs,
    storyArgument: createStoryArgument(backlogs, storiesView, likelyStories),
    storiesView,
    shownViews: new ShownViews(),
    drops: new TreeDrops(),
    undoHistory: new UndoHistory((key) => backlogs.has(key)),
    restoredStories: new RestoredStories(),
    git: new GitBridge((program) => engine.useGit(program)),
    activeStories: new ActiveStoryHolder(),
    history: engine.history,
    workspaceMemory: context.workspaceState,
    openDrafts: createDrafts(vscode.Uri.joinPath(context.globalStorageUri, 'drafts'), log),
  };
  const moving = reorder.movingOf(app);
  stop = async () => {
    await engine.dispose();
    await service.stop();
  };
  context.subscriptions.push(
    log,
    accounts,
    backlogs,
    account.register(app),
    reorder.register(moving),
    attachments.register(app),
    commits.register(app),
    commitHints.register(app),
    codeStories.register(app),
    storyLinks.register(app),
    activeStory.register({ ...app, applyEdits: work.editsOf(app) }),
    stories.register(app),
    storyPanel.register(
      { ...app, applyEdits: work.editsOf(app), addTask: work.taskAddingOf(app) },
      context.extensionUri,
    ),
    work.register(app),
    undo.register(app, async () => ({ ...(await reorder.moveMakers(moving)), ...(await work.workMakers(app)) })),
    activity.register(app),
    whenSignedIn(app, async () => new (await import('./host/poller.ts')).Poller(app)),
    outbox.register({ ...app, applyEdits: work.editsOf(app), addTask: work.taskAddingOf(app) }),
  );
}

export async function deactivate(): Promise<void> {
  await stop?.();
}
