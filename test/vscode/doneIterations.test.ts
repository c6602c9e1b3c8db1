import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const key = { accountId: 'foreign', projectId: 7 };

describe('Done iterations', () => {
  let server: FixtureServer;
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: Backlogs;

  before(async () => {
    server = await FixtureServer.start();
    engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const access = () => Promise.reject(new Error('nobody asks for the built-in service'));
    accounts = new Accounts(new MemorySecrets(), engine, { access });
    await accounts.add({ id: 'foreign', label: 'Foreign', kind: 'server', baseUrl: server.url }, server.token);
    backlogs = createBacklogs(accounts, silentLog);
    await backlogs.projects();
  });
  after(async () => {
    backlogs.dispose();
    accounts.dispose();
    await engine.dispose();
    await server.stop();
  });

  const numbers = async () => (await backlogs.backlog(key)).done.map(({ number }) => number);
  const answers = (done: readonly number[]) => {
    const iterations = done.map((number) => `<iteration><id>${number}</id><number>${number}</number></iteration>`);
    const body = `<iterations type="array">${iterations.join('')}</iterations>`;
    server.reply(/iterations\/done$/, { status: 200, body });
  };

  it('come page by page, each once: the first page of all holds some of the next', async () => {
    answers([3, 4, 5, 6, 7]);
    assert.deepEqual(await numbers(), [3, 4, 5, 6, 7]);
    answers([1, 2, 3, 4, 5]);
    await backlogs.loadMoreDone(key);
    assert.deepEqual(await numbers(), [1, 2, 3, 4, 5, 6, 7]);
  });

  it('come to an end', async () => {
    answers([1, 2, 3, 4, 5]);
    await backlogs.loadMoreDone(key);
    assert.deepEqual(await numbers(), [1, 2, 3, 4, 5, 6, 7]);
  });
});
