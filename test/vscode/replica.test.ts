import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { storiesOf } from '../../src/core/backlog/backlog.ts';
import type { Account } from '../../src/host/accounts/account.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const key = { accountId: 'bakery', projectId: 1 };

describe('What is shown before a server answers', () => {
  const opened: { dispose(): unknown }[] = [];
  let folder: string;
  let server: RunningService;
  let secrets: MemorySecrets;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-replica-'));
    server = await runningService(join(extensionPath, 'dist/service.js'));
    secrets = new MemorySecrets();
    const account: Account = { id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: server.url };
    await window().accounts.add(account, server.token);
  });
  // The last but one test stops the server.
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(closeWindows);

  async function closeWindows(): Promise<void> {
    for (const one of opened.splice(0).toReversed()) await one.dispose();
  }

  /** A window as it is after a start: it has nothing but the secrets and the file. */
  function window() {
    const path = join(folder, 'state', 'replica.sqlite');
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, path);
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    const accounts = new Accounts(secrets, engine, { access });
    const backlogs = createBacklogs(accounts, silentLog);
    opened.push(engine, accounts, backlogs);
    return { accounts, backlogs };
  }

  it('is what it had said before, then what it says now', async () => {
    const first = window();
    const [entry] = await first.backlogs.projects();
    assert.equal(entry?.key.projectId, 1);
    const before = await first.backlogs.backlog(key);
    const [story] = storiesOf(before);
    assert.ok(story);
    await closeWindows();

    await server.ask('PUT', `/projects/1/stories/${story.id}`, '<story><name>Renamed meanwhile</name></story>');
    const second = window();
    assert.equal((await second.backlogs.projects())[0]?.project.name, entry.project.name);
    assert.deepEqual(await second.backlogs.backlog(key), before);
    await eventually(() => assert.equal(second.backlogs.peekStory(story.id)?.story.name, 'Renamed meanwhile'));
    assert.deepEqual(second.backlogs.failures, []);
  });

  it('is taken over by a window from another one without another server’s word', async () => {
    const [here, there] = [window(), window()];
    await Promise.all([here.backlogs.all(), there.backlogs.all()]);
    await Promise.all([here.backlogs.refresh(), there.backlogs.refresh()]);
    const [story] = storiesOf(await here.backlogs.backlog(key));
    assert.ok(story);
    await server.ask('PUT', `/projects/1/stories/${story.id}`, '<story><name>Known to both</name></story>');
    await here.backlogs.refresh();
    await there.backlogs.refresh();
    for (const { backlogs } of [here, there]) {
      assert.equal(backlogs.peekStory(story.id)?.story.name, 'Known to both');
    }
  });

  it('fires only for what changed', async () => {
    const { backlogs } = window();
    await backlogs.all();
    await backlogs.refresh();
    const before = backlogs.peek(key);
    await backlogs.refresh();
    assert.equal(backlogs.peek(key)?.iterations[0], before?.iterations[0]);
    assert.equal(backlogs.peek(key)?.icebox, before?.icebox);

    const told: unknown[] = [];
    const listening = backlogs.onDidChange((one) => told.push(one));
    await backlogs.reload(key);
    assert.deepEqual(told, []);
    const [story] = storiesOf(await backlogs.backlog(key));
    await server.ask('PUT', `/projects/1/stories/${story?.id}`, '<story><name>Told of once</name></story>');
    await backlogs.reload(key);
    listening.dispose();
    assert.deepEqual(told, [key]);
  });

  it('holds no token', async () => {
    for (const name of await readdir(join(folder, 'state'))) {
      const bytes = await readFile(join(folder, 'state', name));
      assert.ok(!bytes.includes(server.token), name);
    }
  });

  it('stays, with the sentence why, while the server is away', async () => {
    const connected = window();
    await connected.backlogs.all();
    await connected.backlogs.refresh();
    const known = await connected.backlogs.backlog(key);
    const { readAt = 0 } = connected.backlogs;
    await closeWindows();
    await server.stop();

    const { backlogs } = window();
    await backlogs.projects();
    assert.deepEqual(await backlogs.backlog(key), known);
    await eventually(() => assert.equal(backlogs.failures.length, 1), 60_000);
    assert.deepEqual(backlogs.peek(key), known);
    assert.ok((backlogs.readAt ?? Number.POSITIVE_INFINITY) <= readAt);
  });

  it('is forgotten when its account signs out', async () => {
    const { accounts } = window();
    const bakery = { accountId: 'bakery', address: server.url };
    assert.ok(await accounts.replica.projects(bakery));
    await accounts.remove('bakery');
    await eventually(async () => assert.equal(await accounts.replica.projects(bakery), undefined));
  });
});
