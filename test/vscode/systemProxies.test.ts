import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SystemProxies } from '../../src/host/engine/networkSettings.ts';
import { startSocks } from '../support/servers/socksServer.ts';
import { listen, type TestServer } from '../support/servers/testServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { proxyAgent } from '../support/windows/proxyAgent.ts';

describe('The proxies of the operating system', () => {
  const agent = proxyAgent();
  const resolve = agent.resolveProxyURL;
  const http = () => vscode.workspace.getConfiguration('http');
  const signIn = () =>
    vscode.commands.executeCommand('storyTracker.signIn', { baseUrl: 'http://tracker.test', token: 'x' });
  let server: TestServer;
  let asked: string[];

  before(async () => {
    server = await listen((_, response) => void response.end('<projects type="array"/>'));
  });
  beforeEach(() => {
    asked = [];
  });
  afterEach(async () => {
    agent.resolveProxyURL = resolve;
    for (const name of ['proxy', 'proxyAuthorization']) {
      await http().update(name, undefined, vscode.ConfigurationTarget.Global);
    }
    await vscode.commands.executeCommand('storyTracker.signOut', { baseUrl: 'http://tracker.test' }).then(
      () => undefined,
      () => undefined,
    );
  });
  after(() => server.close());

  /** Answers as if the operating system had this proxy; a change of a setting has it asked again. */
  async function answering(answer: string | undefined): Promise<void> {
    agent.resolveProxyURL = async (url) => {
      asked.push(url);
      return answer;
    };
    await http().update('proxyAuthorization', answer ?? null, vscode.ConfigurationTarget.Global);
  }

  async function socks() {
    return startSocks({ hosts: { 'tracker.test:80': Number(new URL(server.url).port) } });
  }

  it('are told where VS Code’s own patch of http asks', async () => {
    assert.equal(typeof resolve, 'function');
    const proxies = new SystemProxies(silentLog);
    try {
      assert.equal(await proxies.of('http://localhost:1/x'), '');
      await answering('http://proxy.test:3128');
      assert.equal(await proxies.of('https://tracker.test/sub'), 'http://proxy.test:3128');
      assert.equal(await proxies.of('https://tracker.test/other'), 'http://proxy.test:3128');
      for (const none of ['tracker', 'file:///etc']) assert.equal(await proxies.of(none), '');
      assert.deepEqual(asked, ['https://tracker.test/']);
    } finally {
      proxies.dispose();
    }
  });

  it('are asked for again when a setting has changed, and are none when that fails', async () => {
    const proxies = new SystemProxies(silentLog);
    try {
      await answering('http://proxy.test:1');
      assert.equal(await proxies.of('https://tracker.test'), 'http://proxy.test:1');
      await answering(undefined);
      assert.equal(await proxies.of('https://tracker.test'), '');
      agent.resolveProxyURL = () => Promise.reject(new Error('no script'));
      assert.equal(await proxies.of('https://other.test'), '');
    } finally {
      proxies.dispose();
    }
  });

  it('lead to a server that only they reach, SOCKS included', async () => {
    const proxy = await socks();
    await answering(`socks://${proxy.host}`);
    await signIn();
    assert.ok(proxy.seen.length > 0);
    assert.deepEqual(new Set(proxy.seen), new Set(['5 tracker.test:80']));
    await proxy.close();
  });

  it('come after the one that is set', async () => {
    const proxy = await socks();
    await answering('http://127.0.0.1:1');
    await http().update('proxy', `socks5://${proxy.host}`, vscode.ConfigurationTarget.Global);
    await signIn();
    assert.ok(proxy.seen.length > 0);
    assert.deepEqual(asked, []);
    await proxy.close();
  });
});
