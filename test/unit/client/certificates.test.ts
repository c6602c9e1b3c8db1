import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TrackerError } from '../../../src/core/errors.ts';
import { type Network, plainNetwork } from '../../../src/core/network.ts';
import { trackerFor } from './server.ts';

const REQUEST =
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';

describe('certificates', () => {
  let folder: string;
  let trusting: Network;
  let server: Server | undefined;
  let port = 0;
  let requests = 0;

  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'certificates-'));
    const key = join(folder, 'key.pem');
    const cert = join(folder, 'cert.pem');
    try {
      execFileSync('openssl', [...REQUEST.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
    } catch {
      this.skip();
    }
    trusting = { ...plainNetwork, extraCertificates: [cert] };
    const https = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) => {
      requests += 1;
      response.end('<projects type="array"/>');
    });
    server = https;
    await new Promise<void>((resolve) => https.listen(0, resolve));
    const address = https.address();
    port = typeof address === 'object' && address ? address.port : 0;
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true });
  });

  async function assertFails(host: string, network: Network, message: RegExp): Promise<void> {
    const { tracker } = trackerFor(`https://${host}:${port}`, { network });
    await assert.rejects(tracker.listProjects(), (error: unknown) => {
      assert.ok(error instanceof TrackerError);
      assert.equal(error.kind, 'unreachable');
      assert.match(error.message, message);
      return true;
    });
    await tracker.close();
    assert.equal(requests, 0);
  }

  it('that nobody vouches for are refused, and the setting that mends it is named', () =>
    assertFails(
      'localhost',
      plainNetwork,
      /localhost:\d+ is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\..*storyTracker\.extraCertificates/,
    ));
  it('for another name are refused', () => assertFails('127.0.0.1', trusting, /is for another name/));
  it('of an authority that was added are accepted', async () => {
    const { tracker } = trackerFor(`https://localhost:${port}`, { network: trusting });
    assert.deepEqual(await tracker.listProjects(), []);
    await tracker.close();
  });
});
