import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { storiesOf } from '../../src/core/backlog/backlog.ts';
import { type Account, BUILT_IN_ID } from '../../src/host/accounts/account.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { Poller } from '../../src/host/poller.ts';
import { ShownViews } from '../../src/host/shell/shownViews.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const key = { accountId: BUILT_IN_ID, projectId: 1 };
/** Even a window that nobody looks at has asked by then. */
const SOON = 90_000;

describe('What others do', function () {
  this.timeout(4 * SOON);
  const opened: { dispose(): unknown }[] = [];
  let folder: string;
  let server: RunningService;
  let secrets: MemorySecrets;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-polling-'));
    server = await start();
    secrets = new MemorySecrets();
    await setSeconds(5);
    const account: Account = { id: BUILT_IN_ID, label: 'Built-in', kind: 'builtIn' };
    const { accounts } = window();
    await accounts.add(account);
    await closeWindows();
  });
  after(async () => {
    await setSeconds(undefined);
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(closeWindows);

  const start = () => runningService(join(extensionPath, 'dist/service.js'), join(folder, 'service'));

  async function setSeconds(seconds: number | undefined): Promise<void> {
    await vscode.workspace
      .getConfiguration('storyTracker')
      .update('pollSeconds', seconds, vscode.ConfigurationTarget.Global);
  }

  async function closeWindows(): Promise<void> {
    for (const one of opened.splice(0).toReversed()) await one.dispose();
  }

  function window() {
    const path = join(folder, 'state', 'replica.sqlite');
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, path);
    const access = async () => ({ baseUrl: server.url, token: server.token });
    const accounts = new Accounts(secrets, engine, { access });
    const backlogs = createBacklogs(accounts, silentLog);
    opened.push(engine, accounts, backlogs);
    return { engine, accounts, backlogs };
  }

  /** A window that shows its stories. */
  async function pollingWindow() {
    const made = window();
    await made.backlogs.backlog((await made.backlogs.projects())[0]?.key ?? key);
    const shownViews = new ShownViews();
    shownViews.add({ visible: true, onDidChangeVisibility: new vscode.EventEmitter<void>().event });
    const workspaceMemory = { keys: () => [], get: <T>(_: string, other?: T) => other, update: async () => undefined };
    opened.push(
      new Poller({ ...made, shownViews, log: silentLog, workspaceMemory: workspaceMemory as vscode.Memento }),
    );
    return made;
  }

  async function rename(storyId: number, name: string): Promise<void> {
    await server.ask('PUT', `/projects/1/stories/${storyId}`, `<story><name>${name}</name></story>`);
  }

  it('appears in every window without any command, and what happened is told', async () => {
    const [one, other] = [await pollingWindow(), await pollingWindow()];
    let told = 0;
    one.engine.onDidChangeActivities(() => told++);
    const [story] = storiesOf(await one.backlogs.backlog(key));
    assert.ok(story);
    await rename(story.id, 'Renamed by someone else');
    for (const { backlogs } of [one, other]) {
      await eventually(() => {
        assert.equal(backlogs.peekStory(story.id)?.story.name, 'Renamed by someone else');
      }, SOON);
    }
    await eventually(() => assert.ok(told > 0));
  });

  it('is missed while the server is away, which the window says, and seen when it is back; what was written is sent then', async () => {
    const { backlogs } = await pollingWindow();
    const [story] = storiesOf(await backlogs.backlog(key));
    assert.ok(story);
    const known = backlogs.peek(key);
    const asked = backlogs.readAt ?? 0;
    await server.stop();
    await eventually(() => assert.equal(backlogs.failures.length, 1), SOON);
    assert.deepEqual(backlogs.peek(key), known);
    assert.ok((backlogs.readAt ?? 0) >= asked);
    await backlogs.submit(key, [{ kind: 'comment', storyId: story.id, text: 'Written offline' }]);
    assert.equal(backlogs.unsent.length, 1);
    server = await start();
    await rename(story.id, 'Renamed meanwhile');
    await eventually(() => {
      assert.deepEqual(backlogs.failures, []);
      assert.equal(backlogs.peekStory(story.id)?.story.name, 'Renamed meanwhile');
      assert.deepEqual(backlogs.unsent, []);
    }, SOON);
    assert.match(await server.ask('GET', `/projects/1/stories/${story.id}/notes`), /Written offline/);
  });
});
