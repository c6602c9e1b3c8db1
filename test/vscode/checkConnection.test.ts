import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isCancelled } from '../../src/core/errors.ts';
import type { CheckStep } from '../../src/core/ports/connection.ts';
import { checkConnection } from '../../src/features/account/checkConnection.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { eventually } from '../support/eventually.ts';
import { startProxy, type TestProxy } from '../support/servers/proxyServer.ts';
import { CANARY, serve, type TestServer } from '../support/servers/testServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const AUTHORIZATION = `Basic ${Buffer.from('ada:hidden').toString('base64')}`;
const BASE_URL = 'http://tracker.test';

const run = <T>(command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand<T>(`storyTracker.${command}`, ...args);

async function set(section: string, name: string, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);
}

describe('The network', () => {
  let server: TestServer;
  let proxy: TestProxy;
  let messages: RecordedMessages;
  const told = new Messages(silentLog, () => undefined);

  before(async () => {
    server = await serve(({ headers }, response) => {
      if (headers['x-servicetoken'] === CANARY) response.end('<projects type="array"/>');
      else response.writeHead(401).end();
    });
    const hosts = { 'tracker.test:80': Number(new URL(server.url).port) };
    proxy = await startProxy({ hosts, authorization: AUTHORIZATION });
  });
  beforeEach(() => {
    messages = new RecordedMessages();
  });
  afterEach(() => messages.restore());
  after(async () => {
    for (const name of ['proxy', 'noProxy', 'proxySupport']) await set('http', name, undefined);
    await set('storyTracker', 'extraCertificates', undefined);
    await run('signOut', { baseUrl: BASE_URL });
    await proxy.close();
    await server.close();
  });

  async function assertCheck(expected: string, argument: object = { baseUrl: BASE_URL }): Promise<void> {
    const steps = await run<readonly CheckStep[]>('checkConnection', argument);
    const last = steps.at(-1);
    assert.equal(`${last?.name} ${last?.outcome} ${last?.mend ?? ''}`.trim(), expected, JSON.stringify(steps));
  }

  it('is walked to a server that one cannot sign in to', async () => {
    await assertCheck('dns failed signIn');
    await assert.rejects(
      async () => run('signIn', { baseUrl: BASE_URL, token: CANARY }),
      /Could not find the name tracker\.test/,
    );
  });

  it('goes through the proxy of the settings from the next request on', async () => {
    await set('http', 'proxy', `http://${proxy.host}`);
    await assertCheck('proxy failed http.proxy');
    await set('http', 'proxy', `http://ada:hidden@${proxy.host}`);
    await assertCheck('projects passed');
    await run('signIn', { baseUrl: BASE_URL, token: CANARY });
    await assertCheck('projects passed');
    assert.ok(server.seen.some(({ headers }) => headers['x-servicetoken'] === CANARY));
  });

  it('changes the way of those who are signed in already', async () => {
    const another = await startProxy({ hosts: { 'tracker.test:80': Number(new URL(server.url).port) } });
    await run('refresh');
    assert.deepEqual(another.seen, []);
    await set('http', 'proxy', `http://${another.host}`);
    await run('refresh');
    await eventually(async () => assert.ok(another.seen.includes(`GET ${BASE_URL}/services/v3/projects`)));
    await set('http', 'proxy', `http://ada:hidden@${proxy.host}`);
    await another.close();
  });

  it('is not led astray by a workspace', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, '.vscode/settings.json');
    const astray = { 'http.proxy': 'http://astray.invalid:1', 'storyTracker.extraCertificates': ['/nowhere.pem'] };
    await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify({ ...astray, 'editor.tabSize': 3 })));
    try {
      const tabSize = () => vscode.workspace.getConfiguration('editor', folder.uri).get('tabSize');
      await eventually(async () => assert.equal(tabSize(), 3));
      await assertCheck('projects passed');
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  });

  it('heeds the exceptions and the switch of the settings', async () => {
    await set('http', 'noProxy', ['tracker.test']);
    await assertCheck('dns failed signIn');
    await set('http', 'noProxy', undefined);
    await set('http', 'proxySupport', 'off');
    await assertCheck('dns failed signIn');
    await set('http', 'proxySupport', undefined);
    await assertCheck('projects passed');
  });

  it('keeps to this machine for what is on it', async () => {
    const before = proxy.seen.length;
    await assertCheck('projects passed', { baseUrl: server.url });
    assert.equal(proxy.seen.length, before);
  });

  it('tells a person the first step that fails, and leads to the setting that mends it', async () => {
    await run('checkConnection');
    await eventually(async () =>
      assert.match(messages.texts.join(), /connection to tracker\.test works\. There are 0/),
    );
    await set('http', 'proxy', `http://ada:wrong@${proxy.host}`);
    await run('checkConnection');
    await eventually(async () => {
      const last = messages.shown.at(-1);
      assert.match(last?.text ?? '', /^The connection to tracker\.test failed at this step: proxy\. .*http\.proxy/);
      assert.deepEqual(last?.buttons, ['Open Setting', 'Show Log']);
    });
    assert.ok(!messages.texts.join().includes('wrong'));
  });

  it('is no longer checked at once when the person cancels, and nothing red is shown', async () => {
    const { withProgress } = vscode.window;
    const canceling = new vscode.CancellationTokenSource();
    Object.assign(vscode.window, {
      withProgress: (_options: unknown, work: (...args: readonly unknown[]) => unknown) =>
        work({ report: () => undefined }, canceling.token),
    });
    // As of a service that is only starting, which no signal ends.
    const never = () => new Promise<never>(() => undefined);
    const account = { id: 'one', label: 'Bakery', kind: 'server', baseUrl: 'https://bakery.example' };
    const accounts = { list: async () => [account], access: never };
    const needs = { accounts, engine: { checkConnection: never }, log: silentLog, messages: told };
    try {
      const checking = checkConnection(needs as unknown as Parameters<typeof checkConnection>[0], undefined);
      setTimeout(() => canceling.cancel(), 50);
      const thrown: unknown = await Promise.race([checking.catch((error: unknown) => error), sleep(5000)]);
      assert.ok(isCancelled(thrown), String(thrown));
      told.error(thrown);
      assert.deepEqual(messages.shown, []);
    } finally {
      Object.assign(vscode.window, { withProgress });
      canceling.dispose();
    }
  });

  it('refuses an argument that names no server', async () => {
    await assert.rejects(async () => run('checkConnection', { somewhere: 1 }), /baseUrl/);
  });
});
