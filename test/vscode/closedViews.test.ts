import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ActivityView } from '../../src/features/activity/activityView.ts';
import type { ActivityRow } from '../../src/features/activity/threads.ts';
import { Toasts } from '../../src/features/activity/toasts.ts';
import { type Account, BUILT_IN_ID } from '../../src/host/accounts/account.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { Poller } from '../../src/host/poller.ts';
import type { Messages } from '../../src/host/shell/messages.ts';
import { ShownViews } from '../../src/host/shell/shownViews.ts';
import { eventually } from '../support/eventually.ts';
import { type Colleague, colleague } from '../support/servers/colleague.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const script = join(extensionPath, 'dist/service.js');
const key = { accountId: BUILT_IN_ID, projectId: 1 };
const account: Account = { id: BUILT_IN_ID, label: 'Built-in', kind: 'builtIn' };
/** Even a window that nobody looks at has asked by then. */
const SOON = 90_000;

describe('A window in which no view is ever shown', function () {
  this.timeout(4 * SOON);
  const opened: { dispose(): unknown }[] = [];
  let folder: string;
  let service: RunningService;
  let bo: Colleague;
  let secrets: MemorySecrets;
  let storyId: number;
  let shown: string[];
  let token: string;
  let file: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-closed-'));
    service = await start();
    bo = await colleague(script, { service, dataFolder: join(folder, 'data'), name: 'Bo Marsh' });
    const answer = await service.ask('POST', '/projects/1/stories', '<story><name>Bake bread</name></story>');
    storyId = Number(elementText(answer, 'id'));
    await setSeconds(5);
  });
  after(async () => {
    await setSeconds(undefined);
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  beforeEach(async () => {
    shown = [];
    secrets = new MemorySecrets();
    token = service.token;
    file = join(folder, `${Math.random()}`, 'replica.sqlite');
    await window().accounts.add(account);
    await closeWindows();
  });
  afterEach(closeWindows);

  const start = () => runningService(script, join(folder, 'data'));

  async function setSeconds(seconds: number | undefined): Promise<void> {
    const settings = vscode.workspace.getConfiguration('storyTracker');
    await settings.update('pollSeconds', seconds, vscode.ConfigurationTarget.Global);
  }

  async function closeWindows(): Promise<void> {
    for (const one of opened.splice(0).toReversed()) await one.dispose();
  }

  /** A window's own part of the engine and what it knows; nothing of it is shown or polled yet. */
  function window() {
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, file);
    const access = async () => ({ baseUrl: service.url, token });
    const accounts = new Accounts(secrets, engine, { access });
    const backlogs = createBacklogs(accounts, silentLog);
    const values = new Map<string, unknown>();
    const workspaceMemory = {
      keys: () => [...values.keys()],
      get: (name: string, other?: unknown) => values.get(name) ?? other,
      update: async (name: string, value: unknown) => void values.set(name, value),
    } as vscode.Memento;
    opened.push(engine, accounts, backlogs);
    return { engine, accounts, backlogs, workspaceMemory, log: silentLog };
  }

  /** As a window is in which someone is signed in, with its views closed. */
  function closedWindow() {
    const made = window();
    const messages: Partial<Messages> = {
      info: async (text) => {
        shown.push(text);
        return undefined;
      },
    };
    const toasts = new Toasts({ ...made, messages: messages as Messages });
    const tree = { visible: false, onDidChangeVisibility: new vscode.EventEmitter<unknown>().event };
    const changed = new vscode.EventEmitter<ActivityRow[] | undefined>();
    const view = new ActivityView(made, tree as unknown as vscode.TreeView<ActivityRow>, changed);
    made.engine.onDidChangeActivities(() => void view.follow().then(() => toasts.tell()));
    const poller = new Poller({ ...made, shownViews: new ShownViews() });
    opened.push(changed, view, toasts, poller);
    return { ...made, view, tree: tree as unknown as vscode.TreeView<ActivityRow> };
  }

  /** What an earlier window showed of the project, of which then something is told. */
  async function showEarlier(): Promise<void> {
    await window().backlogs.backlog(key);
    await closeWindows();
  }

  it('shows on the badge what others did, and what an earlier window had not told', async () => {
    await showEarlier();
    const one = closedWindow();
    await bo.ask('POST', `/stories/${storyId}/notes`, '<note><text>Hot.</text></note>');
    await eventually(() => assert.equal(one.tree.badge?.value, 1), SOON);
    await closeWindows();
    const next = closedWindow();
    await eventually(() => assert.equal(next.tree.badge?.value, 1), SOON);
  });

  it('counts nothing that one did oneself, and says “You”, also for who has no story', async () => {
    const someone = await colleague(script, { service, dataFolder: join(folder, 'data'), name: 'Cy Dale' });
    token = someone.token;
    await showEarlier();
    const { tree, view } = closedWindow();
    await someone.ask('POST', `/stories/${storyId}/notes`, '<note><text>Mine.</text></note>');
    await eventually(async () => {
      const [first] = await view.children();
      assert.equal(first && view.item(first).label, 'You added comment: "Mine." to "Bake bread"');
    }, SOON);
    assert.equal(tree.badge, undefined);
  });

  it('tells once among three of what was wished for', async () => {
    const settings = vscode.workspace.getConfiguration('storyTracker');
    await settings.update('notifications', ['assigned'], vscode.ConfigurationTarget.Global);
    try {
      await showEarlier();
      const all = [closedWindow(), closedWindow(), closedWindow()];
      const own = '<story><owned_by>Nora Vesper</owned_by></story>';
      await bo.ask('PUT', `/stories/${storyId}`, own);
      await eventually(() => assert.deepEqual(shown, ['Bo Marsh assigned “Bake bread” to you.']), SOON);
      for (const { tree } of all) await eventually(() => assert.ok((tree.badge?.value ?? 0) > 0), SOON);
      assert.equal(shown.length, 1);
    } finally {
      await settings.update('notifications', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('sends what an earlier window left unsent, once', async () => {
    await showEarlier();
    await service.stop();
    const { backlogs } = window();
    await backlogs.submit(key, [{ kind: 'comment', storyId, text: 'Left behind' }]);
    assert.equal(backlogs.unsent.length, 1);
    await closeWindows();
    service = await start();
    const [one, other] = [closedWindow(), closedWindow()];
    const notes = () => service.ask('GET', `/projects/1/stories/${storyId}/notes`);
    await eventually(async () => assert.match(await notes(), /Left behind/), SOON);
    await eventually(() => assert.deepEqual([one.backlogs.unsent, other.backlogs.unsent], [[], []]), SOON);
    assert.equal((await notes()).match(/Left behind/g)?.length, 1);
  });
});
