/**
 * Runs inside VS Code's extension host: has the product's own code open the tab of a story from the local copy, again and again,
 * and writes down when its page ran and when it had laid out what it was given.
 */

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { StoryPanels } from '../../../src/features/storyPanel/storyPanels.ts';
import { Accounts } from '../../../src/host/accounts/accounts.ts';
import { createBacklogs, createStoryArgument } from '../../../src/host/app.ts';
import { Engine } from '../../../src/host/engine/engine.ts';
import { Messages } from '../../../src/host/shell/messages.ts';
import { RestoredStories } from '../../../src/host/story/restoredStories.ts';
import { UndoHistory } from '../../../src/host/story/undoHistory.ts';
import { StoriesViewHolder } from '../../../src/host/tree/storiesView.ts';
import { silentLog } from '../../support/silentLog.ts';
import { KeptDrafts } from '../../support/windows/keptDrafts.ts';
import { MemorySecrets } from '../../support/windows/memorySecrets.ts';
import type { StoryFigures, StoryOrder, StoryTimes } from '../story.ts';
import { HostHolds } from '../support/hostHolds.ts';

const STORY = 105;
/** In milliseconds; a tab that takes longer fails the bench. */
const LIMIT = 30_000;

export function activate(): void {
  const order: StoryOrder = JSON.parse(process.env.STORY_TRACKER_BENCH_PROBE ?? '{}');
  measure(order).then(
    (figures) => writeFile(order.file, `${JSON.stringify(figures)}\n`),
    (error) => writeFile(order.file, `${JSON.stringify({ error: String(error?.stack ?? error) })}\n`),
  );
}

async function measure(order: StoryOrder): Promise<StoryFigures> {
  await sleep(3_000);
  const engine = new Engine(join(order.root, 'dist/worker.js'), silentLog, join(order.folder, 'replica.sqlite'));
  const nothing = { access: () => Promise.reject(new Error('There is no built-in service here.')) };
  const accounts = new Accounts(new MemorySecrets(), engine, nothing);
  await accounts.add({ id: 'a', label: 'A', kind: 'server', baseUrl: order.url }, order.token);
  const backlogs = createBacklogs(accounts, silentLog);
  await backlogs.all();
  const found = await backlogs.story(STORY);
  if (!found) throw new Error('The story is not there.');
  const memory = new Map<string, unknown>();
  const workspaceMemory: vscode.Memento = {
    keys: () => [...memory.keys()],
    get: <T>(name: string, otherwise?: T) => (memory.get(name) ?? otherwise) as T,
    update: async (name, value) => void memory.set(name, value),
  };
  const messages = new Messages(silentLog, () => undefined);
  const undoHistory = new UndoHistory((key) => backlogs.has(key));
  const restoredStories = new RestoredStories();
  const storiesView = new StoriesViewHolder();
  const shell = { log: silentLog, messages, storiesView, workspaceMemory };
  const storyArgument = createStoryArgument(backlogs, storiesView);
  const { drafts } = new KeptDrafts();
  const openDrafts = async () => drafts;
  const needs = {
    ...shell,
    drafts,
    openDrafts,
    accounts,
    backlogs,
    engine,
    storyArgument,
    undoHistory,
    restoredStories,
  };
  const opened = async (holds?: HostHolds) => {
    // Each as for the first time: nothing of the tab before is left but what the window remembers.
    const panels = new StoryPanels(
      { ...needs, addTask: async () => {}, applyEdits: async () => [] },
      vscode.Uri.file(order.root),
    );
    const times = { ready: 0, laidOut: 0, image: 0 };
    const from = performance.now();
    const done = Promise.withResolvers<void>();
    const hear = watched((what) => {
      times[what] ||= performance.now() - from;
      if (what === 'image') done.resolve();
    });
    const open = async () => {
      panels.open(found, []);
      await Promise.race([done.promise, sleep(LIMIT)]);
    };
    const hold = holds ? (await holds.during(open)).hold : await open().then(() => 0);
    hear.dispose();
    if (times.image === 0) throw new Error(`The tab did not show: ${JSON.stringify(times)}`);
    panels.dispose();
    await sleep(700);
    return { times, hold };
  };
  const { times: first } = await opened();
  const others: StoryTimes[] = [];
  const empty: number[] = [];
  for (let round = 0; round < order.rounds; round += 1) {
    others.push((await opened()).times);
    empty.push(await emptyOpened());
  }
  // Whoever watches every turn of the event loop keeps a processor busy, so that nothing else is timed meanwhile.
  const holds = new HostHolds();
  const held: number[] = [];
  for (let round = 0; round < order.rounds; round += 1) held.push((await opened(holds)).hold);
  holds.stop();
  return { first, others, empty, holds: held };
}

/** Milliseconds until the script of a tab with nothing in it runs. */
async function emptyOpened(): Promise<number> {
  const from = performance.now();
  const panel = vscode.window.createWebviewPanel('bench.empty', 'Empty', vscode.ViewColumn.Active, {
    enableScripts: true,
  });
  const ran = new Promise<number>((resolve) => {
    panel.webview.onDidReceiveMessage(() => resolve(performance.now() - from));
  });
  panel.webview.html = '<!DOCTYPE html><body><script>acquireVsCodeApi().postMessage({});</script></body>';
  const took = await ran;
  panel.dispose();
  await sleep(700);
  return took;
}

/** Tells what goes between the next tab and its page. */
function watched(tell: (what: 'ready' | 'laidOut' | 'image') => void): vscode.Disposable {
  const { createWebviewPanel } = vscode.window;
  const restore = () => Object.assign(vscode.window, { createWebviewPanel });
  const create = (...args: Parameters<typeof createWebviewPanel>) => {
    const panel = createWebviewPanel(...args);
    panel.webview.onDidReceiveMessage(({ type }: { readonly type?: unknown }) => {
      if (type === 'ready') tell('ready');
      if (type === 'image') tell('laidOut');
    });
    const { webview } = panel;
    const post = webview.postMessage.bind(webview);
    webview.postMessage = (message: { readonly type?: unknown }) => {
      if (message.type === 'image') tell('image');
      return post(message);
    };
    return panel;
  };
  Object.assign(vscode.window, { createWebviewPanel: create });
  return { dispose: restore };
}
