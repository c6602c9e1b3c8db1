import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { checkConnection } from '../../../../src/client/check/connectionWalk.ts';
import { type CheckStep, type Network, plainNetwork } from '../../../../src/core/ports/connection.ts';
import { PrivateAuthority } from '../../../support/servers/privateAuthority.ts';
import { type ProxySettings, startProxy } from '../../../support/servers/proxyServer.ts';
import { startSocks } from '../../../support/servers/socksServer.ts';
import { CANARY, listen } from '../../../support/servers/testServer.ts';
import { silentLog } from '../../../support/silentLog.ts';

const PASSWORD = 'hidden-3ce';
const AUTHORIZATION = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;

type Answer = Parameters<RequestListener>[1];

const ANSWERS: Readonly<Record<string, (response: Answer) => void>> = {
  tracker: (response) =>
    void response.end('<projects type="array"><project><id>1</id><name>x</name></project></projects>'),
  web: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>'),
  other: (response) => void response.end('{"projects":[]}'),
  missing: (response) => void response.writeHead(404).end(),
};

describe('checking a connection', () => {
  let authority: PrivateAuthority;
  let secure: SecureServer;
  let securePort: number;
  let answer: keyof typeof ANSWERS;
  const closing: (() => Promise<void>)[] = [];

  const handle: RequestListener = (request, response) => {
    if (request.headers['x-servicetoken'] !== CANARY)
      response.writeHead(401).end('<errors><error>No.</error></errors>');
    else ANSWERS[answer]?.(response);
  };

  before(async () => {
    authority = new PrivateAuthority();
    secure = createSecureServer(authority.identity(['localhost', 'tracker.test']), handle);
    await new Promise<void>((resolve) => secure.listen(0, resolve));
    securePort = (secure.address() as AddressInfo).port;
  });
  beforeEach(() => {
    answer = 'tracker';
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  after(() => {
    secure?.closeAllConnections();
    secure?.close();
    authority?.remove();
  });

  async function plainServer(): Promise<string> {
    const server = await listen(handle);
    closing.push(() => server.close());
    return server.url;
  }

  async function proxyWith(settings: Partial<ProxySettings>): Promise<string> {
    const proxy = await startProxy({ hosts: { 'tracker.test:443': securePort }, ...settings });
    closing.push(() => proxy.close());
    return proxy.host;
  }

  async function stepsOf(
    baseUrl: string,
    network: Partial<Network> = {},
    more: Partial<Parameters<typeof checkConnection>[0]> = {},
  ): Promise<readonly CheckStep[]> {
    const told: CheckStep[] = [];
    const token = async () => CANARY;
    const trusting = { ...plainNetwork, extraCertificates: [authority.file], ...network };
    const steps = await checkConnection(
      { baseUrl, tokenHeader: 'X-ServiceToken', network: trusting, token, log: silentLog, timeout: 500, ...more },
      { onStep: (step) => told.push(step) },
    );
    assert.deepEqual(told, steps, 'each step is told when it is taken');
    for (const secret of [CANARY, PASSWORD, AUTHORIZATION]) assert.ok(!JSON.stringify(steps).includes(secret));
    return steps;
  }

  const outcomes = (steps: readonly CheckStep[]) => steps.map(({ name, outcome }) => `${name} ${outcome}`).join(', ');

  async function assertFails(
    steps: Promise<readonly CheckStep[]>,
    expected: string,
    detail: RegExp,
    mend: CheckStep['mend'],
  ): Promise<void> {
    const taken = await steps;
    assert.equal(outcomes(taken), expected, JSON.stringify(taken));
    const last = taken.at(-1);
    assert.equal(last?.outcome, 'failed');
    assert.match(last?.detail ?? '', detail);
    assert.equal(last?.mend, mend);
  }

  const SECURE_WAY = 'address passed, dns passed, tcp passed, proxy skipped, tls passed';
  const PLAIN_WAY = 'address passed, dns skipped, tcp passed, proxy skipped, tls skipped';
  const TUNNEL_WAY = 'address passed, dns skipped, tcp passed, proxy passed';

  describe('passes', () => {
    it('every step to a server with TLS', async () => {
      const steps = await stepsOf(`https://localhost:${securePort}`);
      assert.equal(outcomes(steps), `${SECURE_WAY}, token passed, projects passed`);
      assert.match(steps[1]?.detail ?? '', /^localhost is .*(127\.0\.0\.1|::1)/);
      assert.match(steps[4]?.detail ?? '', /^TLSv1\.3, certificate of localhost by Test Authority, valid until /);
      assert.equal(steps[6]?.detail, 'There is 1 project.');
    });
    it('without TLS', async () => {
      assert.equal(outcomes(await stepsOf(await plainServer())), `${PLAIN_WAY}, token passed, projects passed`);
    });
    it('through a tunnel, whose user and password it does not tell', async () => {
      const proxy = `http://ada:${PASSWORD}@${await proxyWith({ authorization: AUTHORIZATION })}`;
      const steps = await stepsOf('https://tracker.test', { proxy });
      assert.equal(outcomes(steps), `${TUNNEL_WAY}, tls passed, token passed, projects passed`);
      assert.match(steps[0]?.detail ?? '', /through the proxy 127\.0\.0\.1:\d+ \(http\.proxy\)/);
    });
    it('through a proxy that forwards', async () => {
      const url = await plainServer();
      const hosts = { 'tracker.test:80': Number(new URL(url).port) };
      const HTTP_PROXY = `ada:${PASSWORD}@${await proxyWith({ hosts, authorization: AUTHORIZATION })}`;
      const steps = await stepsOf('http://tracker.test', {
        environment: { HTTPS_PROXY: '', HTTP_PROXY, NO_PROXY: '' },
      });
      assert.equal(outcomes(steps), `${TUNNEL_WAY}, tls skipped, token passed, projects passed`);
    });
    it('through a SOCKS proxy, with and without TLS', async () => {
      const url = await plainServer();
      const hosts = { 'tracker.test:443': securePort, 'tracker.test:80': Number(new URL(url).port) };
      const socks = await startSocks({ hosts, login: { username: 'ada', password: PASSWORD } });
      closing.push(() => socks.close());
      const proxy = `socks5://ada:${PASSWORD}@${socks.host}`;
      const secured = await stepsOf('https://tracker.test', { proxy });
      assert.equal(outcomes(secured), `${TUNNEL_WAY}, tls passed, token passed, projects passed`);
      assert.match(secured[0]?.detail ?? '', /through the SOCKS proxy 127\.0\.0\.1:\d+ \(http\.proxy\)/);
      const plain = await stepsOf('http://tracker.test', { proxy });
      assert.equal(outcomes(plain), `${TUNNEL_WAY}, tls skipped, token passed, projects passed`);
    });
    it('over the first way of the system’s that answers', async () => {
      const gone = await proxyWith({});
      await closing.pop()?.();
      const systemProxies = `PROXY ${gone}; PROXY ${await proxyWith({})}; DIRECT`;
      const steps = await stepsOf('https://tracker.test', { systemProxies });
      assert.equal(outcomes(steps), `${TUNNEL_WAY}, tls passed, token passed, projects passed`);
      assert.match(steps[0]?.detail ?? '', /\(the operating system\)\. The first that answers, of 3 ways\.$/);
    });
    it('a server that asks for a token, when there is none yet', async () => {
      const check = { tokenHeader: 'X-ServiceToken', log: silentLog, network: plainNetwork };
      const steps = await checkConnection({ ...check, baseUrl: await plainServer() });
      assert.equal(outcomes(steps), `${PLAIN_WAY}, token skipped, projects passed`);
      assert.equal(steps.at(-1)?.detail, 'The server answers and requires a token.');
    });
  });

  describe('names what fails:', () => {
    for (const address of ['ftp://tracker.test', 'tracker', 'https://ada:x@tracker.test', 'https://tracker.test?x']) {
      it(`the address ${address}`, () => assertFails(stepsOf(address), 'address failed', /server address/, 'signIn'));
    }
    it('the address of the proxy', () =>
      assertFails(
        stepsOf('https://tracker.test', { proxy: 'socks9://p' }),
        'address failed',
        /^http\.proxy must be a proxy address/,
        'http.proxy',
      ));

    it('the name of the server', async () => {
      const nobody = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
      const expected = 'address passed, dns failed';
      const steps = stepsOf('https://tracker.test', {}, { resolve: nobody });
      await assertFails(steps, expected, /Could not find the name tracker\.test/, 'signIn');
      await assertFails(stepsOf('https://nowhere.invalid'), expected, /nowhere\.invalid/, 'signIn');
    });
    it('the name of the proxy', () =>
      assertFails(
        stepsOf('https://tracker.test', { proxy: `http://ada:${PASSWORD}@proxy.invalid:3128` }),
        'address passed, dns failed',
        /find the name proxy\.invalid:3128.*proxy comes from http\.proxy/,
        'http.proxy',
      ));

    it('a port where nothing listens', async () => {
      const url = await plainServer();
      for (const close of closing.splice(0)) await close();
      await assertFails(
        stepsOf(url),
        'address passed, dns skipped, tcp failed',
        /^Nothing answers at 127\.0\.0\.1:\d+/,
        'signIn',
      );
    });
    it('a proxy that is not there', async () => {
      const host = await proxyWith({});
      for (const close of closing.splice(0)) await close();
      const steps = stepsOf('https://tracker.test', { proxy: `http://ada:${PASSWORD}@${host}` });
      await assertFails(
        steps,
        'address passed, dns skipped, tcp failed',
        /^Nothing answers at .*This proxy comes from http\.proxy\.$/,
        'http.proxy',
      );
    });

    const REFUSALS: readonly (readonly [string, Partial<ProxySettings>, RegExp, CheckStep['mend']])[] = [
      ['wants a password', { authorization: AUTHORIZATION }, /requires a username and password/, 'http.proxy'],
      ['lets nothing through', { refuses: 403 }, /status 403/, 'http.noProxy'],
      ['says nothing', { isSilent: true }, /did not answer in time/, 'http.proxy'],
    ];
    for (const [how, settings, detail, mend] of REFUSALS) {
      it(`a proxy that ${how}`, async () => {
        const proxy = `http://${await proxyWith(settings)}`;
        const expected = 'address passed, dns skipped, tcp passed, proxy failed';
        await assertFails(stepsOf('https://tracker.test', { proxy }), expected, detail, mend);
      });
    }
    it('a proxy that does not accept the password', async () => {
      const proxy = `http://ada:${PASSWORD}x@${await proxyWith({ authorization: AUTHORIZATION })}`;
      const expected = 'address passed, dns skipped, tcp passed, proxy failed';
      for (const baseUrl of ['https://tracker.test', 'http://tracker.test']) {
        await assertFails(
          stepsOf(baseUrl, { proxy }),
          expected,
          /does not accept the username and password/,
          'http.proxy',
        );
      }
    });

    const TLS_FAILS = 'address passed, dns passed, tcp passed, proxy skipped, tls failed';
    it('an authority that is not trusted', () =>
      assertFails(
        stepsOf(`https://localhost:${securePort}`, { extraCertificates: [] }),
        TLS_FAILS,
        /is not trusted.*storyTracker\.extraCertificates/,
        'storyTracker.extraCertificates',
      ));
    it('an authority that is not trusted, behind a proxy', async () => {
      const network = { extraCertificates: [], proxy: `http://${await proxyWith({})}` };
      const expected = `${TUNNEL_WAY}, tls failed`;
      const detail = /certificate of tracker\.test is not trusted/;
      await assertFails(stepsOf('https://tracker.test', network), expected, detail, 'storyTracker.extraCertificates');
    });
    it('a file of authorities that cannot be read', () =>
      assertFails(
        stepsOf(`https://localhost:${securePort}`, { extraCertificates: ['/nowhere/company.pem'] }),
        TLS_FAILS,
        /"\/nowhere\/company\.pem".*cannot be read/,
        'storyTracker.extraCertificates',
      ));
    it('a certificate for another name', () =>
      assertFails(
        stepsOf(`https://127.0.0.1:${securePort}`),
        'address passed, dns skipped, tcp passed, proxy skipped, tls failed',
        /is for another name/,
        'signIn',
      ));
    it('a certificate that is no longer valid', async () => {
      const old = createSecureServer(authority.identity(['localhost'], '-1'), handle);
      await new Promise<void>((resolve) => old.listen(0, resolve));
      closing.push(() => new Promise((resolve) => old.close(() => resolve())));
      const { port } = old.address() as AddressInfo;
      await assertFails(stepsOf(`https://localhost:${port}`), TLS_FAILS, /is not valid now/, undefined);
    });
    it('a server without TLS', async () => {
      const url = (await plainServer()).replace('http://127.0.0.1', 'https://localhost');
      await assertFails(stepsOf(url), TLS_FAILS, /does not speak TLS/, 'signIn');
    });

    it('a token that the server does not accept', async () => {
      const steps = stepsOf(await plainServer(), {}, { token: async () => 'another' });
      await assertFails(steps, `${PLAIN_WAY}, token failed`, /^No\. Sign in again/, 'signIn');
    });
    it('a token that is none', async () => {
      const steps = stepsOf(await plainServer(), {}, { token: async () => '' });
      await assertFails(steps, `${PLAIN_WAY}, token failed`, /API token is empty/, 'signIn');
    });
    it('a header that cannot carry the token', async () => {
      const steps = stepsOf(await plainServer(), {}, { tokenHeader: 'Host' });
      const detail = /"Host" is not a valid token header/;
      await assertFails(steps, `${PLAIN_WAY}, token failed`, detail, 'storyTracker.tokenHeader');
    });

    const STRANGERS: readonly (readonly [keyof typeof ANSWERS, RegExp])[] = [
      ['web', /a web page/],
      ['other', /Does it offer API version 3/],
      ['missing', /does not have this/],
    ];
    for (const [kind, detail] of STRANGERS) {
      it(`a server that is no tracker (${kind})`, async () => {
        answer = kind;
        await assertFails(
          stepsOf(await plainServer()),
          `${PLAIN_WAY}, token skipped, projects failed`,
          detail,
          'signIn',
        );
      });
    }
  });

  it('ends when it is cancelled', async () => {
    const silent = createSocketServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => silent.close(() => resolve())));
    const { port } = silent.address() as AddressInfo;
    const controller = new AbortController();
    const baseUrl = `http://127.0.0.1:${port}`;
    const check = { baseUrl, tokenHeader: 'X-ServiceToken', network: plainNetwork, log: silentLog };
    const onStep = ({ name }: CheckStep) => name === 'tls' && controller.abort();
    const checking = checkConnection({ ...check, token: async () => CANARY }, { onStep, signal: controller.signal });
    await assert.rejects(checking, { name: 'TrackerError', kind: 'cancelled' });
  });
});
