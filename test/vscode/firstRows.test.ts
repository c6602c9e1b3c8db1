import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Backlog, storiesOf } from '../../src/core/backlog/backlog.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import type { Backlogs } from '../../src/host/projects/backlogs.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const key = { accountId: 'bakery', projectId: 1 };

const PROJECT = '<project><id>1</id><name>Bakery</name></project>';
const CURRENT = `<iteration><id>3</id><number>3</number><stories type="array">
  <story><id>11</id><name>Knead</name></story><story><id>12</id><name>Bake</name></story></stories></iteration>`;
const NEXT = `<iteration><id>4</id><number>4</number><stories type="array">
  <story><id>13</id><name>Sell</name></story></stories></iteration>`;
/** More than is decoded in one go. */
const SPACE = ' '.repeat(20_000);

describe('What is shown of a project while the rest still comes', () => {
  let server: Server;
  let waiting: ServerResponse[];
  let opened: { dispose(): unknown }[];
  let secrets: MemorySecrets;
  let backlogs: Backlogs;

  beforeEach(async () => {
    waiting = [];
    server = createServer(({ url = '' }, response) => {
      if (url.endsWith('/projects')) response.end(`<projects type="array">${PROJECT}</projects>`);
      else if (url.endsWith('/projects/1')) response.end(PROJECT);
      else if (!url.endsWith('/current_backlog')) response.end('<nil-classes type="array"/>');
      else {
        waiting.push(response);
        response.write(`<iterations type="array">${CURRENT}${SPACE}`);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    secrets = new MemorySecrets();
    opened = [];
    const accounts = openWindow();
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await accounts.add({ id: 'bakery', label: 'Bakery', kind: 'server', baseUrl }, 'token');
    await backlogs.projects();
  });
  afterEach(async () => {
    await closeWindow();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  function openWindow(replicaPath?: string): Accounts {
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, replicaPath);
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    const accounts = new Accounts(secrets, engine, { access });
    backlogs = createBacklogs(accounts, silentLog);
    opened.push(engine, accounts, backlogs);
    return accounts;
  }

  async function closeWindow(): Promise<void> {
    for (const one of opened.splice(0).toReversed()) await one.dispose();
  }

  const names = (backlog: Backlog | undefined) => backlog && storiesOf(backlog).map(({ name }) => name);

  it('is its current iteration before the server has told the rest, then all of it', async () => {
    const some = await backlogs.some(key);
    assert.deepEqual(names(some), ['Knead', 'Bake']);
    assert.deepEqual(some.missing, {});
    assert.equal(backlogs.peek(key), undefined);
    assert.equal(backlogs.peekStory(12)?.story.name, 'Bake');

    waiting[0]?.end(`${NEXT}</iterations>`);
    const whole = await backlogs.backlog(key);
    assert.deepEqual(names(whole), ['Knead', 'Bake', 'Sell']);
    assert.equal(whole.missing, undefined);
    assert.equal(backlogs.peekSome(key), backlogs.peek(key));
    assert.equal(waiting.length, 1);
  });

  it('is its current iteration, and why there is no more, when the rest is no backlog; all of it later', async () => {
    await backlogs.some(key);
    waiting[0]?.end('</stories>');
    await eventually(() => assert.ok(backlogs.peekSome(key)?.missing?.error));
    assert.deepEqual(names(backlogs.peekSome(key)), ['Knead', 'Bake']);
    assert.equal(backlogs.failures.length, 1);

    const refreshing = backlogs.refresh();
    await eventually(() => assert.equal(waiting.length, 2));
    waiting[1]?.end(`${NEXT}</iterations>`);
    await refreshing;
    assert.deepEqual(names(backlogs.peek(key)), ['Knead', 'Bake', 'Sell']);
    assert.deepEqual(backlogs.failures, []);
  });

  it('is its current iteration, then all that the local copy has, while no server answers', async () => {
    await closeWindow();
    const folder = await mkdtemp(join(tmpdir(), 'story-tracker-first-'));
    try {
      openWindow(join(folder, 'replica.sqlite'));
      await backlogs.projects();
      const reading = backlogs.backlog(key);
      await eventually(() => assert.equal(waiting.length, 1));
      const many = Array.from({ length: 1200 }, (_, index) => `<story><id>${index + 100}</id></story>`).join('');
      const later = `<iteration><id>4</id><number>4</number><stories>${many}</stories></iteration>`;
      waiting[0]?.end(`${later}</iterations>`);
      const known = await reading;
      await closeWindow();

      server.closeAllConnections();
      server.removeAllListeners('request');
      openWindow(join(folder, 'replica.sqlite'));
      await backlogs.projects();
      const shown: (readonly string[] | undefined)[] = [];
      backlogs.onDidChange((changed) => changed && shown.push(names(backlogs.peekSome(key))));
      assert.deepEqual(names(await backlogs.some(key)), ['Knead', 'Bake']);
      await eventually(() => assert.equal(shown.length, 2));
      assert.deepEqual(shown, [['Knead', 'Bake'], names(known)]);
      assert.equal(backlogs.peek(key)?.missing, undefined);
    } finally {
      await closeWindow();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
