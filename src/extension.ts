import * as vscode from 'vscode';
import { setTranslations } from './core/translation.ts';
import * as account from './features/account/register.ts';
import * as activeStory from './features/activeStory/register.ts';
import * as activity from './features/activity/register.ts';
import * as agents from './features/agents/register.ts';
import * as attachments from './features/attachments/register.ts';
import * as codeStories from './features/codeStories/register.ts';
import * as commitHints from './features/commitHints/register.ts';
import * as commits from './features/commits/register.ts';
import * as diagnostics from './features/diagnostics/register.ts';
import { extensionApi } from './features/extensionApi/register.ts';
import { LocalService } from './features/localService/localService.ts';
import * as localService from './features/localService/register.ts';
import * as outbox from './features/outbox/register.ts';
import * as projectSettings from './features/projectSettings/register.ts';
import * as reorder from './features/reorder/register.ts';
import * as stories from './features/stories/register.ts';
import * as storyLinks from './features/storyLinks/register.ts';
import * as storyPanel from './features/storyPanel/register.ts';
import * as transfer from './features/transfer/register.ts';
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
import { RememberingLog } from './host/shell/rememberingLog.ts';
import { ShownViews } from './host/shell/shownViews.ts';
import { RestoredStories } from './host/story/restoredStories.ts';
import { UndoHistory } from './host/story/undoHistory.ts';
import { StoriesViewHolder } from './host/tree/storiesView.ts';
import { TreeDrops } from './host/tree/treeDrops.ts';

let stop: (() => Promise<void>) | undefined;

export function activate(context: vscode.ExtensionContext): ReturnType<typeof extensionApi> {
  setTranslations(vscode.l10n.bundle ?? {});
  const channel = vscode.window.createOutputChannel('Story Tracker', { log: true });
  const log = new RememberingLog(channel);
  const messages = new Messages(log, () => channel.show());
  const commands = new Commands(log, messages);
  const script = context.asAbsolutePath('dist/service.js');
  const service = new LocalService(script, log);
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
  stop = async () => {
    await engine.dispose();
    await service.stop();
  };
  context.subscriptions.push(channel, accounts, backlogs, ...registered(app, service, script, context.extension));
  context.subscriptions.push(diagnostics.register(app, log, context.extension));
  return extensionApi(app, context.subscriptions);
}

/** The features, and what works in the background. */
function registered(
  app: App,
  service: LocalService,
  script: string,
  { extensionUri, packageJSON }: vscode.Extension<unknown>,
): readonly vscode.Disposable[] {
  const moving = reorder.movingOf(app);
  return [
    account.register({ ...app, service }),
    localService.register({ ...app, script }),
    reorder.register(moving),
    attachments.register(app),
    commits.register(app),
    commitHints.register(app),
    codeStories.register(app),
    storyLinks.register(app),
    activeStory.register({ ...app, applyEdits: work.editsOf(app) }),
    stories.register(app),
    projectSettings.register(app, extensionUri),
    storyPanel.register({ ...app, applyEdits: work.editsOf(app), addTask: work.taskAddingOf(app) }, extensionUri),
    work.register(app),
    transfer.register(app),
    agents.register(app, packageJSON.contributes.languageModelTools),
    undo.register(app, async () => ({ ...(await reorder.moveMakers(moving)), ...(await work.workMakers(app)) })),
    activity.register(app),
    whenSignedIn(app, async () => new (await import('./host/poller.ts')).Poller(app)),
    outbox.register({ ...app, applyEdits: work.editsOf(app), addTask: work.taskAddingOf(app) }),
  ];
}

export async function deactivate(): Promise<void> {
  await stop?.();
}
