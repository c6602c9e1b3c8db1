import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Backlog, storiesOf } from '../../src/core/backlog.ts';
import { silentLog } from '../../src/core/log.ts';
import { Accounts } from '../../src/host/accounts.ts';
import { Backlogs } from '../../src/host/backlogs.ts';
import { Engine } from '../../src/host/engine.ts';
import { eventually } from '../support/eventually.ts';
import { MemorySecrets } from '../support/memorySecrets.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const key = { accountId: 'bakery', projectId: 1 };

const PROJECT = '<project><id>1</id><name>Bakery</name></project>';
const CURRENT = `<iteration><id>3</id><number>3</number><stories type="array">
  <story><id>11</id><name>Knead</name></story><story><id>12</id><name>Bake</name></story></stories></iteration>`;
const NEXT = `<iteration><id>4</id><number>4</number><stories type="array">
  <story><id>13</id><name>Sell</name></story></stories></iteration>`;
/** More than is decoded in one go. */
const SPACE = ' '.repeat(20_000);

describe('What is shown of a project that was never read', () => {
  let server: Server;
  let waiting: ServerResponse[];
  let opened: { dispose(): unknown }[];
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
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    const accounts = new Accounts(new MemorySecrets(), engine, { access });
    backlogs = new Backlogs(accounts, silentLog);
    opened = [engine, accounts, backlogs];
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await accounts.add({ id: 'bakery', label: 'Bakery', kind: 'server', baseUrl }, 'token');
    await backlogs.projects();
  });
  afterEach(async () => {
    for (const one of opened.toReversed()) await one.dispose();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

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
});
