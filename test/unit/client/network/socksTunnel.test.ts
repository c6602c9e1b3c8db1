import assert from 'node:assert/strict';
import { createServer as createSecureServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TrackerError } from '../../../../src/core/errors.ts';
import { type Network, plainNetwork } from '../../../../src/core/ports/connection.ts';
import { PrivateAuthority } from '../../../support/servers/privateAuthority.ts';
import { startProxy } from '../../../support/servers/proxyServer.ts';
import { startSocks } from '../../../support/servers/socksServer.ts';
import { everythingIn, listen, type TestServer, trackerFor } from '../../../support/servers/testServer.ts';

const SECURE = 'https://tracker.test';
const PLAIN = 'http://tracker.test';
const PASSWORD = 'hidden-9b2';
const STORY = { projectId: 1, storyId: 2 };

describe('through a SOCKS proxy', () => {
  let authority: PrivateAuthority;
  let secure: Server;
  let plain: TestServer;
  let hosts: Readonly<Record<string, number>>;
  const closing: (() => Promise<void>)[] = [];

  const answer: Parameters<typeof listen>[0] = (request, response) => {
    request.resume().on('end', () => {
      const isUpload = request.url?.endsWith('/attachments');
      response.end(isUpload ? '<attachment><id>7</id></attachment>' : '<projects type="array"/>');
    });
  };

  before(async () => {
    authority = new PrivateAuthority();
    secure = createSecureServer(authority.identity(['tracker.test', '127.0.0.1']), answer);
    await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
    plain = await listen(answer);
    const { port } = secure.address() as AddressInfo;
    hosts = { 'tracker.test:443': port, 'tracker.test:80': Number(new URL(plain.url).port) };
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

  async function socksWith(settings: Partial<Parameters<typeof startSocks>[0]> = {}) {
    const socks = await startSocks({ hosts, ...settings });
    closing.push(() => socks.close());
    return socks;
  }

  function trackerOver(network: Partial<Network>, baseUrl = SECURE, connect = 2_000) {
    const trusting = { ...plainNetwork, extraCertificates: [authority.file], ...network };
    const { tracker } = trackerFor(baseUrl, { network: trusting, timeouts: { connect } });
    closing.push(() => tracker.close());
    return tracker;
  }

  async function assertRefused(network: Partial<Network>, expected: RegExp, connect?: number): Promise<void> {
    const error = await trackerOver(network, SECURE, connect)
      .listProjects()
      .then(
        () => assert.fail('it went through'),
        (thrown: unknown) => thrown,
      );
    assert.ok(error instanceof TrackerError, String(error));
    assert.match(error.message, expected);
    assert.ok(!everythingIn(error).includes(PASSWORD));
  }

  for (const baseUrl of [SECURE, PLAIN]) {
    const port = baseUrl === SECURE ? 443 : 80;
    for (const [scheme, version] of [
      ['socks5', 5],
      ['socks4a', 4],
    ] as const) {
      it(`${scheme} reads and uploads to ${baseUrl}, whose name only the proxy knows`, async () => {
        const socks = await socksWith();
        const tracker = trackerOver({ proxy: `${scheme}://${socks.host}` }, baseUrl);
        assert.deepEqual(await tracker.listProjects(), []);
        const source = { kind: 'bytes', bytes: Buffer.alloc(300_000, 'x'), filename: 'x' } as const;
        assert.equal((await tracker.uploadAttachment(STORY, source)).id, 7);
        assert.deepEqual(new Set(socks.seen), new Set([`${version} tracker.test:${port}`]));
      });
    }

    it(`gives user and password on the way to ${baseUrl}`, async () => {
      const socks = await socksWith({ login: { username: 'ada', password: PASSWORD } });
      const tracker = trackerOver({ proxy: `socks5://ada:${PASSWORD}@${socks.host}` }, baseUrl);
      assert.deepEqual(await tracker.listProjects(), []);
    });

    it(`takes the ways to ${baseUrl} in order, and looks again when one leads nowhere any more`, async () => {
      const gone = await startProxy({ hosts });
      await gone.close();
      const first = await socksWith();
      const second = await startProxy({ hosts });
      closing.push(() => second.close());
      const systemProxies = `PROXY ${gone.host}; SOCKS ${first.host}; PROXY ${second.host}; DIRECT`;
      const tracker = trackerOver({ systemProxies }, baseUrl);
      await tracker.listProjects();
      assert.deepEqual([first.seen.length, second.seen.length], [1, 0]);
      await first.close();
      await tracker.listProjects();
      assert.equal(second.seen.length, 1);
    });
  }

  it('may be there for addresses, too', async () => {
    const { port } = secure.address() as AddressInfo;
    const socks = await socksWith({ hosts: { [`127.0.0.1:${port}`]: port } });
    const network = { proxy: `socks5://${socks.host}`, noProxy: ['<-loopback>'] };
    assert.deepEqual(await trackerOver(network, `https://127.0.0.1:${port}`).listProjects(), []);
    assert.deepEqual(socks.seen, [`5 127.0.0.1:${port}`]);
  });

  it('that wants a password says so, with the setting that has it', async () => {
    const socks = await socksWith({ login: { username: 'ada', password: PASSWORD } });
    await assertRefused(
      { proxy: `socks5://${socks.host}` },
      /\(http\.proxy\) requires a username and password\. Set them in http\.proxy, as in socks5:\/\/user:password@/,
    );
    await assertRefused(
      { proxy: `socks5://ada:${PASSWORD.slice(1)}@${socks.host}` },
      /does not accept the username and password\. Set them in http\.proxy/,
    );
    assert.deepEqual(socks.seen, []);
  });

  it('that lets nothing through says why, and names the exceptions', async () => {
    const socks = await socksWith({ hosts: {} });
    await assertRefused(
      { proxy: `socks5://${socks.host}` },
      /does not connect to this server \(HostUnreachable\).*http\.noProxy/,
    );
    await assertRefused({ proxy: `socks4://${socks.host}` }, /does not connect to this server \(Failed\)/);
  });

  it('that is none, is gone or is silent is told from the server', async () => {
    const web = new URL(plain.url).host;
    await assertRefused({ proxy: `socks5://${web}` }, /\(http\.proxy\) does not speak SOCKS\. Check its address/);
    const socks = await startSocks({ hosts });
    await socks.close();
    await assertRefused({ proxy: `socks5://${socks.host}` }, /^Nothing answers at .* comes from http\.proxy/);
    const silent = await socksWith({ isSilent: true });
    await assertRefused({ proxy: `socks5://${silent.host}` }, /did not answer in time.* comes from http\.proxy/, 50);
  });
});
