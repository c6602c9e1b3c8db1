import assert from 'node:assert/strict';
import { createServer as createSecureServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import type { TrackerOptions } from '../../../../src/client/http/calls.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import { type Network, plainNetwork } from '../../../../src/core/ports/connection.ts';
import { PrivateAuthority } from '../../../support/servers/privateAuthority.ts';
import { type ProxySettings, startProxy, type TestProxy } from '../../../support/servers/proxyServer.ts';
import { CANARY, everythingIn, serve, type TestServer, trackerFor } from '../../../support/servers/testServer.ts';

const SECURE = 'https://tracker.test';
const PLAIN = 'http://tracker.test';
const PASSWORD = 'hidden-7d1';
const AUTHORIZATION = `Basic ${Buffer.from(`ada:${PASSWORD}`).toString('base64')}`;
const STORY = { projectId: 1, storyId: 2 };

describe('through a proxy', () => {
  let authority: PrivateAuthority;
  let secure: Server;
  let plain: TestServer;
  let hosts: ProxySettings['hosts'];
  let received: { readonly host: unknown; readonly url: string; readonly token: unknown; readonly length: number }[];
  const closing: (() => Promise<void>)[] = [];

  before(async () => {
    authority = new PrivateAuthority();
    secure = createSecureServer(authority.identity(['tracker.test']), (request, response) => {
      let length = 0;
      request.on('data', (chunk: Buffer) => {
        length += chunk.length;
      });
      request.on('end', () => {
        const { host, 'x-servicetoken': token } = request.headers;
        received.push({ host, url: request.url ?? '', token, length });
        answer(request.url ?? '', response);
      });
    });
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    plain = await serve((seen, response) => {
      const { host, 'x-servicetoken': token } = seen.headers;
      received.push({ host, url: seen.url, token, length: seen.body.length });
      answer(seen.url, response);
    });
    const { port } = secure.address() as AddressInfo;
    hosts = { 'tracker.test:443': port, 'tracker.test:80': Number(new URL(plain.url).port) };
  });
  beforeEach(() => {
    received = [];
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  after(async () => {
    secure?.closeAllConnections();
    secure?.close();
    await plain?.close();
    authority?.remove();
  });

  function answer(url: string, response: { writeHead: TestResponse['writeHead']; end: TestResponse['end'] }): void {
    if (url.startsWith('/away')) response.writeHead(302, { location: 'https://other.test/services/v3/projects' });
    if (url.endsWith('/attachments')) response.end('<attachment><id type="integer">7</id></attachment>');
    else response.end('<projects type="array"/>');
  }

  async function proxyWith(settings: Partial<ProxySettings> = {}): Promise<TestProxy> {
    const proxy = await startProxy({ hosts, ...settings });
    closing.push(() => proxy.close());
    return proxy;
  }

  function trackerThrough(network: Partial<Network>, baseUrl = SECURE, options: Partial<TrackerOptions> = {}) {
    const trusting = { ...plainNetwork, extraCertificates: [authority.file], ...network };
    const made = trackerFor(baseUrl, { network: trusting, ...options });
    closing.push(() => made.tracker.close());
    return made;
  }

  async function errorOf(
    made: ReturnType<typeof trackerFor>,
    call: Promise<unknown> = made.tracker.listProjects(),
  ): Promise<TrackerError> {
    const error = await call.then(
      () => assert.fail('it did not fail'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof TrackerError, String(error));
    const told = [everythingIn(error), ...made.lines].join('\n');
    for (const secret of [CANARY, PASSWORD, AUTHORIZATION]) assert.ok(!told.includes(secret), told);
    return error;
  }

  const GOOD: readonly (readonly [string, (host: string) => Partial<Network>])[] = [
    ['named with user and password', (host) => ({ proxy: `http://ada:${PASSWORD}@${host}` })],
    ['with a header of its own', (host) => ({ proxy: `http://${host}`, proxyAuthorization: AUTHORIZATION })],
    ['of the environment', (host) => ({ environment: inEnvironment(`ada:${PASSWORD}@${host}`) })],
  ];
  for (const [how, network] of GOOD) {
    it(`${how}, https goes in a tunnel that does not see the token`, async () => {
      const proxy = await proxyWith({ authorization: AUTHORIZATION });
      const { tracker, lines } = trackerThrough(network(proxy.host));
      for (let count = 0; count < 5; count += 1) assert.deepEqual(await tracker.listProjects(), []);
      assert.ok(proxy.seen.length <= 2, 'tunnels are used again');
      assert.equal(proxy.seen[0], 'CONNECT tracker.test:443');
      assert.ok(!JSON.stringify(proxy.heads).includes(CANARY));
      assert.deepEqual(received[0], { host: 'tracker.test', url: '/services/v3/projects', token: CANARY, length: 0 });
      assert.ok(!lines.join().includes(PASSWORD));
    });
    it(`${how}, http is forwarded, meant for the server`, async () => {
      const proxy = await proxyWith({ authorization: AUTHORIZATION });
      const { tracker } = trackerThrough(network(proxy.host), PLAIN);
      assert.deepEqual(await tracker.listProjects(), []);
      assert.deepEqual(proxy.seen, ['GET http://tracker.test/services/v3/projects']);
      assert.deepEqual(received[0], { host: 'tracker.test', url: '/services/v3/projects', token: CANARY, length: 0 });
    });
  }

  it('that is reached over TLS itself, and has a certificate of the same authority', async () => {
    const proxy = await proxyWith({ identity: authority.identity(['localhost']), authorization: AUTHORIZATION });
    const address = `https://ada:${PASSWORD}@localhost:${proxy.port}`;
    for (const baseUrl of [SECURE, PLAIN]) {
      const { tracker } = trackerThrough({ proxy: address }, baseUrl);
      assert.deepEqual(await tracker.listProjects(), []);
    }
    assert.deepEqual(proxy.seen, ['CONNECT tracker.test:443', 'GET http://tracker.test/services/v3/projects']);
    const error = await errorOf(trackerThrough({ proxy: address, extraCertificates: [] }));
    assert.match(
      error.message,
      /localhost:\d+ is not trusted.*storyTracker\.extraCertificates.*proxy comes from http\.proxy/,
    );
  });

  for (const baseUrl of [SECURE, PLAIN]) {
    it(`a file arrives whole at ${baseUrl}`, async () => {
      const proxy = await proxyWith();
      const { tracker } = trackerThrough({ proxy: `http://${proxy.host}` }, baseUrl);
      const bytes = Buffer.alloc(3 * 1024 * 1024 + 17, 'x');
      const sent = await tracker.uploadAttachment(STORY, { kind: 'bytes', bytes, filename: 'x.bin' });
      assert.equal(sent.id, 7);
      assert.ok((received[0]?.length ?? 0) > bytes.length);
      assert.equal(proxy.seen.length, 1);
    });

    it(`that wants a password says so, once, on the way to ${baseUrl}`, async () => {
      const proxy = await proxyWith({ authorization: AUTHORIZATION });
      for (const address of [`http://${proxy.host}`, `http://ada:${PASSWORD}wrong@${proxy.host}`]) {
        const made = trackerThrough({ proxy: address }, baseUrl);
        const error = await errorOf(made);
        assert.equal(error.kind, 'unreachable');
        assert.equal(error.status, 407);
        assert.equal(error.request, 'GET /services/v3/projects');
        assert.match(error.message, /proxy/);
        assert.deepEqual(made.slept, []);
      }
      assert.equal(proxy.seen.length, 2);
      assert.deepEqual(received, []);
    });

    it(`that cannot be reached is named on the way to ${baseUrl}`, async () => {
      const proxy = await startProxy({ hosts });
      await proxy.close();
      const made = trackerThrough({ proxy: `http://ada:${PASSWORD}@${proxy.host}` }, baseUrl);
      const error = await errorOf(made);
      assert.equal(error.kind, 'unreachable');
      assert.match(error.message, new RegExp(`^Nothing answers at ${proxy.host}\\..*proxy comes from http\\.proxy`));
    });
  }

  it('that asks for Kerberos gets what negotiates, once for each connection', async () => {
    const proxy = await proxyWith({ authorization: 'Negotiate dGlja2V0', schemes: 'Negotiate, Basic realm="x"' });
    const asked: string[] = [];
    const negotiate = async (host: string) => {
      asked.push(host);
      return 'Negotiate dGlja2V0';
    };
    const { tracker } = trackerThrough({ proxy: `http://${proxy.host}` }, SECURE, { negotiate });
    assert.deepEqual(await tracker.listProjects(), []);
    assert.deepEqual(asked, ['127.0.0.1']);
    assert.deepEqual(proxy.seen, ['CONNECT tracker.test:443', 'CONNECT tracker.test:443']);
  });

  it('that asks for a sign-in of the system names what helps where that fails', async () => {
    const cases: readonly (readonly [schemes: string, answer: string | undefined, message: RegExp])[] = [
      ['Negotiate', undefined, /requires Kerberos, and there is no ticket for it\. .*kinit.*http\.proxy/],
      ['Negotiate', 'Negotiate b3RoZXI=', /requires Kerberos/],
      ['NTLM', 'Negotiate b3RoZXI=', /requires NTLM, which is not supported\. Set http\.proxy to a local proxy/],
      ['Negotiate, Basic realm="x"', undefined, /requires a username and password/],
    ];
    for (const [schemes, answer, message] of cases) {
      const proxy = await proxyWith({ authorization: 'Negotiate dGlja2V0', schemes });
      const made = trackerThrough({ proxy: `http://${proxy.host}` }, SECURE, { negotiate: async () => answer });
      const error = await errorOf(made);
      assert.match(error.message, message);
      assert.equal(error.status, 407);
      assert.ok(proxy.seen.length <= 2);
    }
  });

  it('that is given a password is not answered with Kerberos', async () => {
    const proxy = await proxyWith({ authorization: AUTHORIZATION, schemes: 'Negotiate' });
    const negotiate = () => assert.fail('it is not asked');
    const { tracker } = trackerThrough({ proxy: `http://ada:${PASSWORD}@${proxy.host}` }, SECURE, { negotiate });
    assert.deepEqual(await tracker.listProjects(), []);
  });

  it('that says nothing is not waited for', async () => {
    const proxy = await proxyWith({ isSilent: true });
    const made = trackerThrough({ proxy: `http://${proxy.host}` }, SECURE, { timeouts: { connect: 50 } });
    const source = { kind: 'bytes', bytes: Buffer.from('x'), filename: 'x' } as const;
    for (const call of [() => made.tracker.listProjects(), () => made.tracker.uploadAttachment(STORY, source)]) {
      const error = await errorOf(made, call());
      assert.equal(error.kind, 'timeout');
      assert.match(error.message, /proxy comes from http\.proxy/);
    }
  });

  it('that says nothing holds nobody up who does not wait any longer, on whichever of several ways', async () => {
    const sockets: Socket[] = [];
    const silent = createSocketServer((socket) => sockets.push(socket.on('error', () => undefined)));
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    closing.push(async () => {
      for (const socket of sockets) socket.destroy();
      silent.close();
    });
    const { port } = silent.address() as AddressInfo;
    const timeouts = { connect: 600_000 };
    const ways = [{ proxy: `http://127.0.0.1:${port}` }, { systemProxies: `HTTPS 127.0.0.1:${port}; DIRECT` }];
    for (const network of ways) {
      const late = await errorOf(trackerThrough(network, SECURE, { timeouts: { ...timeouts, total: 50 } }));
      assert.equal(late.kind, 'timeout');
      const made = trackerThrough(network, SECURE, { timeouts });
      const error = await errorOf(made, made.tracker.listProjects({ signal: AbortSignal.timeout(50) }));
      assert.equal(error.kind, 'cancelled');
    }
  });

  it('that asks for Kerberos, for which nothing answers, is told of as without a ticket', async () => {
    const proxy = await proxyWith({ authorization: 'Negotiate ticket', schemes: 'Negotiate' });
    const options = { negotiate: () => new Promise<undefined>(() => undefined), timeouts: { connect: 50 } };
    const error = await errorOf(trackerThrough({ proxy: `http://${proxy.host}` }, SECURE, options));
    assert.match(error.message, /requires Kerberos, and there is no ticket/);
  });

  it('that says what it was given is not repeated', async () => {
    const proxy = await serve(({ headers }, response) => {
      const said = `No way for ${headers['proxy-authorization']} with ${headers['x-servicetoken']}.`;
      response.writeHead(403, { 'content-type': 'application/xml' }).end(`<errors><error>${said}</error></errors>`);
    });
    closing.push(() => proxy.close());
    const { host } = new URL(proxy.url);
    const error = await errorOf(trackerThrough({ proxy: `http://ada:${PASSWORD}@${host}` }, PLAIN));
    assert.match(error.message, /No way for … with …/);
  });

  it('that lets nothing through names the exceptions, and is not asked again', async () => {
    const proxy = await proxyWith({ refuses: 403 });
    const made = trackerThrough({ proxy: `http://${proxy.host}` });
    const error = await errorOf(made);
    assert.match(error.message, /status 403.*http\.noProxy/);
    assert.equal(proxy.seen.length, 1);
  });

  it('a certificate for another name is refused inside the tunnel, once', async () => {
    const proxy = await proxyWith({ hosts: { 'other.test:443': hosts['tracker.test:443'] ?? 0 } });
    const made = trackerThrough({ proxy: `http://${proxy.host}` }, 'https://other.test');
    assert.match((await errorOf(made)).message, /other\.test is for another name/);
    assert.deepEqual(proxy.seen, ['CONNECT other.test:443']);
    assert.deepEqual(received, []);
  });

  it('a redirect to another server takes no token there', async () => {
    const proxy = await proxyWith({ hosts: { ...hosts, 'other.test:443': hosts['tracker.test:443'] ?? 0 } });
    for (const baseUrl of [`${SECURE}/away`, `${PLAIN}/away`]) {
      const error = await errorOf(trackerThrough({ proxy: `http://${proxy.host}` }, baseUrl));
      assert.equal(error.kind, 'protocol');
      assert.match(error.message, /https:\/\/other\.test, which does not get your API token/);
    }
    assert.ok(!proxy.seen.some((line) => line.includes('other.test')), proxy.seen.join());
  });

  it('is not taken for an exception, nor for this machine', async () => {
    const proxy = await proxyWith();
    const set = { proxy: `http://${proxy.host}` };
    const { tracker } = trackerThrough(set, plain.url.replace('127.0.0.1', 'localhost'));
    assert.deepEqual(await tracker.listProjects(), []);
    const excepted = trackerThrough({ ...set, noProxy: ['tracker.test'] });
    assert.match((await errorOf(excepted)).message, /Could not find the name tracker\.test/);
    assert.deepEqual(proxy.seen, []);
  });

  it('what is under way ends the way it began when the settings change', async () => {
    const proxy = await proxyWith();
    const { tracker } = trackerThrough({ proxy: `http://${proxy.host}` });
    const [listed] = await Promise.all([tracker.listProjects(), tracker.retire()]);
    assert.deepEqual(listed, []);
  });
});

interface TestResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(text: string): unknown;
}

function inEnvironment(address: string): Network['environment'] {
  return { HTTPS_PROXY: address, HTTP_PROXY: address, NO_PROXY: '' };
}
