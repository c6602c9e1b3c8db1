import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SystemProxies } from '../../src/host/engine/networkSettings.ts';
import { type ProxyScript, serveProxyScript } from '../support/servers/proxyScript.ts';
import { startProxy, type TestProxy } from '../support/servers/proxyServer.ts';
import { type SocksServer, startSocks } from '../support/servers/socksServer.ts';
import { listen, type TestServer } from '../support/servers/testServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { proxyAgent } from '../support/windows/proxyAgent.ts';

/** As networks hand it out. */
const scriptFor = (http: string, socks: string) => `
function FindProxyForURL(url, host) {
  host = host.toLowerCase();
  if (isPlainHostName(host)) return 'DIRECT';
  if (dnsDomainIs(host, '.office.test')) return 'PROXY ${http}; DIRECT';
  if (shExpMatch(host, '*.lab.test')) return 'SOCKS5 ${socks}';
  if (shExpMatch(url, 'https://*') && localHostOrDomainIs(host, 'vault.test')) return 'HTTPS vault.proxy.test:8443; PROXY ${http}';
  if (host === 'broken.test') return brokenRule(host);
  return 'DIRECT';
}`;

/**
 * The browser-hosted VS Code evaluates no script: on the desktop, Electron does, in `session.resolveProxy`. Only that is stood in
 * for here, by pac-resolver, which fetches and evaluates a real script. The rest is VS Code's own: the resolver that its window
 * makes with `createProxyResolver`, which reads what a script answers, is put where the window puts it.
 */
describe('The proxies of a configuration script', () => {
  const agent = proxyAgent();
  const resolve = agent.resolveProxyURL;
  const hosts = ['tracker.office.test:80', 'tracker.lab.test:80', 'tracker.open.test:80'];
  let server: TestServer;
  let http: TestProxy;
  let socks: SocksServer;
  let script: ProxyScript;
  let asked: string[];

  before(async () => {
    server = await listen((_, response) => void response.end('<projects type="array"/>'));
    const { port } = new URL(server.url);
    const settings = { hosts: Object.fromEntries(hosts.map((host) => [host, Number(port)])) };
    [http, socks] = await Promise.all([startProxy(settings), startSocks(settings)]);
    script = await serveProxyScript(scriptFor(http.host, socks.host));
  });

  beforeEach(() => {
    asked = [];
    const http = () => vscode.workspace.getConfiguration('http');
    const none = () => undefined;
    const { resolveProxyURL } = agent.createProxyResolver({
      resolveProxy: (url) => {
        asked.push(url);
        return script.answer(url);
      },
      getProxyURL: () => http().get('proxy'),
      getNoProxyConfig: () => http().get<readonly string[]>('noProxy', []),
      isUseHostProxyEnabled: () => true,
      loadSystemCertificatesFromNode: () => false,
      addCertificatesV1: () => false,
      addCertificatesV2: () => false,
      log: { trace: none, debug: none, info: none, warn: none, error: none },
      proxyResolveTelemetry: none,
      env: process.env,
    });
    agent.resolveProxyURL = resolveProxyURL;
  });

  afterEach(() => {
    agent.resolveProxyURL = resolve;
  });

  after(() => Promise.all([server, http, socks, script].map((one) => one.close())));

  const signIn = async (baseUrl: string) =>
    vscode.commands.executeCommand('storyTracker.signIn', { baseUrl, token: 'x' });
  const signOut = async (baseUrl: string) => vscode.commands.executeCommand('storyTracker.signOut', { baseUrl });

  it('are what it answers for each server, the first of several', async () => {
    const proxies = new SystemProxies(silentLog);
    const answers: Readonly<Record<string, string>> = {
      'http://wiki.office.test': `http://${http.host}`,
      'http://WIKI.lab.test:8080/sub': `socks://${socks.host}`,
      'https://vault.test': 'https://vault.proxy.test:8443',
      'http://vault.test': '',
      'http://intranet': '',
      'https://example.test': '',
    };
    try {
      for (const [url, answer] of Object.entries(answers)) assert.equal(await proxies.of(url), answer, url);
      assert.deepEqual(asked, [
        'http://wiki.office.test/',
        'http://wiki.lab.test:8080/',
        'https://vault.test/',
        'http://vault.test/',
        'http://intranet/',
        'https://example.test/',
      ]);
    } finally {
      proxies.dispose();
    }
  });

  it('are none where the script fails', async () => {
    const proxies = new SystemProxies(silentLog);
    try {
      await assert.rejects(script.answer('http://broken.test'), /brokenRule/);
      assert.equal(await proxies.of('http://broken.test'), '');
      assert.deepEqual(asked, ['http://broken.test/']);
    } finally {
      proxies.dispose();
    }
  });

  it('lead to a server that only the HTTP proxy reaches', async () => {
    await signIn('http://tracker.office.test');
    await signOut('http://tracker.office.test');
    assert.ok(http.seen.length > 0);
    for (const seen of http.seen) assert.match(seen, /^GET http:\/\/tracker\.office\.test\//);
    assert.deepEqual(socks.seen, []);
  });

  it('lead to a server that only the SOCKS proxy reaches', async () => {
    const before = http.seen.length;
    await signIn('http://tracker.lab.test');
    await signOut('http://tracker.lab.test');
    assert.ok(socks.seen.length > 0);
    assert.deepEqual(new Set(socks.seen), new Set(['5 tracker.lab.test:80']));
    assert.equal(http.seen.length, before);
  });

  it('are not asked where the script answers DIRECT', async () => {
    const before = [http.seen.length, socks.seen.length];
    await assert.rejects(signIn('http://tracker.open.test'), /tracker\.open\.test/);
    assert.deepEqual([http.seen.length, socks.seen.length], before);
    assert.ok(asked.includes('http://tracker.open.test/'));
    // Some machines take their time to say that there is no such name.
  }).timeout(60_000);
});
