import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { checkConnection } from '../../../../src/client/check/connectionWalk.ts';
import { hasNeverLeft } from '../../../../src/client/network/networkError.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import { type ClientCertificate, type Network, plainNetwork } from '../../../../src/core/ports/connection.ts';
import { startOpensslServer } from '../../../support/servers/opensslServer.ts';
import { PrivateAuthority } from '../../../support/servers/privateAuthority.ts';
import { startProxy } from '../../../support/servers/proxyServer.ts';
import { CANARY, everythingIn, serve, trackerFor } from '../../../support/servers/testServer.ts';
import { silentLog } from '../../../support/silentLog.ts';

const PASSPHRASE = 'hidden-4e1';
const STORY = { projectId: 1, storyId: 2 };

describe('client certificates', () => {
  let authority: PrivateAuthority;
  let stranger: PrivateAuthority;
  let files: ReturnType<PrivateAuthority['client']>;
  let strangers: typeof files;
  let server: Server;
  let port: number;
  /** Whom each request came from, as far as it showed. */
  let seen: (string | undefined)[];
  const closing: (() => Promise<void>)[] = [];

  const nameOf = (socket: unknown) =>
    socket instanceof TLSSocket ? socket.getPeerCertificate().subject?.CN?.toString() : undefined;

  before(async () => {
    authority = new PrivateAuthority();
    stranger = new PrivateAuthority();
    files = authority.client('Ada', PASSPHRASE);
    strangers = stranger.client('Bob', PASSPHRASE);
    const options = { requestCert: true, rejectUnauthorized: false, ca: authority.read(authority.file) };
    server = createServer({ ...authority.identity(['localhost', 'tracker.test']), ...options }, (request, response) => {
      seen.push(nameOf(request.socket));
      const isUpload = request.method === 'POST';
      request
        .resume()
        .on('end', () => response.end(isUpload ? '<attachment><id>7</id></attachment>' : '<projects type="array"/>'));
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    port = (server.address() as AddressInfo).port;
  });
  beforeEach(() => {
    seen = [];
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
    authority?.remove();
    stranger?.remove();
  });

  function networkWith(certificate: Partial<ClientCertificate>, more: Partial<Network> = {}): Network {
    const clientCertificates = [{ origin: `https://localhost:${port}`, ...certificate }];
    return { ...plainNetwork, extraCertificates: [authority.file], clientCertificates, ...more };
  }

  function trackerWith(network: Network, baseUrl = `https://localhost:${port}`) {
    const made = trackerFor(baseUrl, { network });
    closing.push(() => made.tracker.close());
    return made;
  }

  async function errorOf({ tracker, slept, lines }: ReturnType<typeof trackerWith>): Promise<TrackerError> {
    const error = await tracker.listProjects().then(
      () => assert.fail('it went through'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof TrackerError, String(error));
    assert.deepEqual(slept, [], `${error.message} ${String(error.cause)}`);
    for (const text of [everythingIn(error), ...lines]) assert.ok(!text.includes(PASSPHRASE), text);
    return error;
  }

  const forms: Readonly<Record<string, () => Partial<ClientCertificate>>> = {
    'two PEM files': () => ({ cert: files.cert, key: files.key }),
    'one PEM file': () => ({ cert: files.both }),
    'a protected key': () => ({ cert: files.cert, key: files.protectedKey, passphrase: PASSPHRASE }),
    'a PFX file': () => ({ pfx: files.pfx, passphrase: PASSPHRASE }),
  };
  for (const [name, certificate] of Object.entries(forms)) {
    it(`are shown from ${name}, for reads and for files`, async () => {
      const { tracker } = trackerWith(networkWith(certificate()));
      assert.deepEqual(await tracker.listProjects(), []);
      const file = { kind: 'bytes', bytes: Buffer.alloc(300_000), filename: 'x' } as const;
      assert.equal((await tracker.uploadAttachment(STORY, file)).id, 7);
      assert.deepEqual(seen, ['Ada', 'Ada']);
    });
  }

  it('are shown to no other server', async () => {
    for (const origin of ['https://localhost', `https://tracker.test:${port}`, `http://localhost:${port}`]) {
      await trackerWith(networkWith({ origin, cert: files.both })).tracker.listProjects();
    }
    assert.deepEqual(seen, [undefined, undefined, undefined]);
  });

  it('are shown to the server inside a tunnel, and not to the proxy', async () => {
    const proxied: unknown[] = [];
    const wanting = { requestCert: true, rejectUnauthorized: false };
    const identity = { ...authority.identity(['proxy.test', '127.0.0.1']), ...wanting };
    const onClient = (socket: unknown) => proxied.push(nameOf(socket));
    const proxy = await startProxy({ hosts: { 'tracker.test:443': port }, identity, onClient });
    closing.push(() => proxy.close());
    const network = networkWith(
      { origin: 'https://tracker.test', cert: files.both },
      { proxy: `https://${proxy.host}` },
    );
    await trackerWith(network, 'https://tracker.test').tracker.listProjects();
    assert.deepEqual([seen, proxied], [['Ada'], [undefined]]);
  });

  it('whose files are of no use are missed by the name of their server', async () => {
    const cases: readonly (readonly [Partial<ClientCertificate>, RegExp])[] = [
      [{}, /must name either "pfx" or "cert"\.$/],
      [{ cert: files.cert, pfx: files.pfx }, /must name either "pfx" or "cert"\.$/],
      [{ cert: '/nowhere.pem' }, /names "\/nowhere\.pem", which cannot be read\.$/],
      [{ cert: 'ada.pem' }, /names "ada\.pem", which is not an absolute path\.$/],
      [{ cert: files.cert, key: strangers.key }, /hold no certificate with its key in PEM format\.$/],
      [{ cert: files.cert }, /hold no certificate with its key in PEM format\.$/],
    ];
    for (const [certificate, message] of cases) {
      const error = await errorOf(trackerWith(networkWith(certificate)));
      assert.equal(error.kind, 'input');
      assert.match(error.message, message);
      assert.match(
        error.message,
        /^The entry "https:\/\/localhost:\d+" of the setting storyTracker\.clientCertificates /,
      );
    }
    assert.deepEqual(seen, []);
  });

  it('that are protected say so, and when the passphrase is another', async () => {
    for (const certificate of [{ pfx: files.pfx }, { cert: files.cert, key: files.protectedKey }]) {
      const missing = await errorOf(trackerWith(networkWith(certificate)));
      assert.match(missing.message, /^The client certificate for localhost:\d+ is protected by a passphrase\./);
      const wrong = await errorOf(trackerWith(networkWith({ ...certificate, passphrase: PASSPHRASE.slice(1) })));
      assert.match(wrong.message, /^The passphrase does not open the client certificate for localhost:\d+\./);
      assert.deepEqual([missing.kind, wrong.kind], ['input', 'input']);
    }
  });

  for (const version of ['tls1_2', 'tls1_3'] as const) {
    const wanted = version === 'tls1_2' ? /refuses the TLS connection.*If it requires a client/ : /requires a client/;

    it(`that a server requires over ${version} are named, also when it does not accept them`, async () => {
      const { port: wantingPort, close } = await startOpensslServer(authority, version);
      closing.push(close);
      const baseUrl = `https://localhost:${wantingPort}`;
      const cases: readonly (readonly [Partial<ClientCertificate>, RegExp])[] = [
        [{ origin: 'https://other.test', cert: files.both }, wanted],
        [{ origin: baseUrl, cert: strangers.both }, /does not accept the client certificate/],
      ];
      for (const [certificate, message] of cases) {
        const network = networkWith(certificate);
        const error = await errorOf(trackerWith(network, baseUrl));
        assert.match(error.message, message);
        assert.match(error.message, /storyTracker\.clientCertificates/);
        assert.ok(hasNeverLeft(error));
        const check = { baseUrl, tokenHeader: 'X-ServiceToken', log: silentLog, token: async () => CANARY };
        const steps = await checkConnection({ ...check, network });
        const last = steps.at(-1);
        assert.deepEqual(
          [last?.name, last?.outcome, last?.mend],
          ['tls', 'failed', 'storyTracker.clientCertificates'],
          JSON.stringify(steps),
        );
        assert.match(last?.detail ?? '', message);
      }
    });
  }

  it('that need a passphrase are a step that entering it mends', async () => {
    const check = { baseUrl: `https://localhost:${port}`, tokenHeader: 'X-ServiceToken', log: silentLog };
    const steps = await checkConnection({ ...check, network: networkWith({ pfx: files.pfx }) });
    assert.deepEqual([steps.at(-1)?.name, steps.at(-1)?.mend], ['tls', 'passphrase']);
    const opened = networkWith({ pfx: files.pfx, passphrase: PASSPHRASE });
    const passed = await checkConnection({ ...check, network: opened });
    assert.equal(passed.find(({ name }) => name === 'tls')?.outcome, 'passed', JSON.stringify(passed));
    assert.deepEqual(new Set(seen), new Set(['Ada']));
  });

  it('that a web server in front misses are told from a refusal of the service', async () => {
    const page = '<html><head><title>400 No required SSL certificate was sent</title></head></html>';
    const front = await serve((_, response) => void response.writeHead(400).end(page));
    closing.push(() => front.close());
    const error = await errorOf(trackerWith(plainNetwork, front.url));
    assert.deepEqual([error.kind, error.status], ['unreachable', 400]);
    assert.match(error.message, /requires a client certificate that it accepts.*storyTracker\.clientCertificates/);
  });
});
