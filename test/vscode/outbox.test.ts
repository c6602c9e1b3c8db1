import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { findStory, orderOf } from '../../src/core/backlog/backlog.ts';
import type { Intent } from '../../src/core/intents/intent.ts';
import { viewNotice } from '../../src/features/stories/tree/treeTexts.ts';
import type { Account } from '../../src/host/accounts/account.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const key = { accountId: 'bakery', projectId: 7 };
const move: Intent = { kind: 'move', storyId: 106, place: 'before', targetId: 104 };
const comment: Intent = { kind: 'comment', storyId: 104, text: 'Merci' };

describe('What the server cannot be given', () => {
  const opened: { dispose(): unknown }[] = [];
  let folder: string;
  let server: FixtureServer;
  let secrets: MemorySecrets;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-outbox-'));
    server = await FixtureServer.start();
    secrets = new MemorySecrets();
    const account: Account = { id: 'bakery', label: 'Bakery', kind: 'server', baseUrl: server.url };
    await window().accounts.add(account, server.token);
  });
  afterEach(async () => {
    await closeWindows();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function closeWindows(): Promise<void> {
    for (const one of opened.splice(0).toReversed()) await one.dispose();
  }

  /** A window as it is after a start: it has nothing but the secrets and the file. */
  function window() {
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, join(folder, 'replica.sqlite'));
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    const accounts = new Accounts(secrets, engine, { access });
    const backlogs = createBacklogs(accounts, silentLog);
    opened.push(engine, accounts, backlogs);
    return { accounts, backlogs };
  }

  const order = ({ backlogs }: { readonly backlogs: Backlogs }) => {
    const backlog = backlogs.peek(key);
    return backlog ? orderOf(backlog).slice(0, 7) : [];
  };
  const MOVED = [101, 102, 103, 106, 104, 105, 107];
  const away = () => server.reply(/^(POST|PUT|GET) /, { status: 503, body: '' }, 1000);

  it('waits on disk, shown as done, and is sent once by the next window when the server is back', async () => {
    const first = window();
    await first.backlogs.all();
    away();
    const submission = await first.backlogs.submit(key, [move]);
    const commented = await first.backlogs.submit(key, [comment]);
    assert.deepEqual([submission.waiting?.kind, commented.waiting?.kind], ['busy', 'busy']);
    assert.deepEqual(order(first), MOVED);
    const notice = async () => viewNotice(first.backlogs, await first.accounts.list(), undefined).message;
    const host = new URL(server.url).host;
    await eventually(async () => assert.match(String(await notice()), new RegExp(`2 unsent changes for ${host}`)));
    await closeWindows();

    const next = window();
    await next.backlogs.projects();
    await next.backlogs.backlog(key);
    await eventually(() => assert.deepEqual(order(next), MOVED, 'what a former run left is shown'));
    server.noMoreTrouble();
    await eventually(() => assert.deepEqual(server.order.slice(1, 8), MOVED), 30_000);
    await eventually(() => assert.equal(server.routes.story(104).notes.length, 1), 30_000);
    await eventually(() => assert.deepEqual(next.backlogs.unsent, []));
    assert.equal(server.requests.filter(({ path }) => path.endsWith('/106/moves')).length >= 1, true);
    await eventually(() => {
      const backlog = next.backlogs.peek(key);
      assert.deepEqual(
        (backlog && findStory(backlog, 104))?.notes.map(({ id }) => id > 0),
        [true],
      );
    });
  });

  it('is taken back when it is refused, with what the server said', async () => {
    const { backlogs } = window();
    await backlogs.all();
    server.refuse(/\/moves$/, ['The backlog is frozen until Friday.']);
    const submission = await backlogs.submit(key, [move, comment]);
    assert.equal(submission.refused?.message, 'The backlog is frozen until Friday.');
    assert.equal(submission.sent, 0);
    assert.deepEqual(order({ backlogs }), [101, 102, 103, 104, 105, 106, 107]);
    assert.equal(server.routes.story(104).notes.length, 0);
    await eventually(() => assert.deepEqual(backlogs.unsent, []));
  });

  it('is shown in a window that did not ask for it, until it is sent', async () => {
    const [one, other] = [window(), window()];
    await Promise.all([one.backlogs.all(), other.backlogs.all()]);
    away();
    await one.backlogs.submit(key, [move]);
    await other.backlogs.attend();
    await eventually(() => assert.deepEqual(order(other), MOVED));
    server.noMoreTrouble();
    await one.accounts.outbox.retry();
    await eventually(() => assert.deepEqual(server.order.slice(1, 8), MOVED));
    await eventually(() => assert.deepEqual(other.backlogs.unsent, []), 20_000);
    assert.deepEqual(order(other), MOVED);
  });
}).timeout(60_000);
