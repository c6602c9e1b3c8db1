import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { hasNeverLeft } from '../../../../src/client/network/networkError.ts';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import { plainNetwork } from '../../../../src/core/ports/connection.ts';
import { PrivateAuthority } from '../../../support/servers/privateAuthority.ts';
import { trackerFor } from '../../../support/servers/testServer.ts';

const STORY = { projectId: 1, storyId: 2 };

describe('certificates', () => {
  let authority: PrivateAuthority;
  let server: Server | undefined;
  let port = 0;
  let connections = 0;
  let requests = 0;
  let bytes = 0;

  before(async () => {
    authority = new PrivateAuthority();
    const https = createServer(authority.identity(['localhost']), (request, response) => {
      requests += 1;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      const isUpload = request.method === 'POST';
      request.on('end', () =>
        response.end(isUpload ? '<attachment><id>7</id></attachment>' : '<projects type="array"/>'),
      );
    });
    https.on('connection', () => {
      connections += 1;
    });
    server = https;
    await new Promise<void>((resolve) => https.listen(0, resolve));
    port = (https.address() as AddressInfo).port;
  });
  beforeEach(() => {
    connections = 0;
    requests = 0;
    bytes = 0;
  });
  after(() => {
    server?.closeAllConnections();
    server?.close();
    authority?.remove();
  });

  function trackerTrusting(host: string, extraCertificates: readonly string[]) {
    return trackerFor(`https://${host}:${port}`, { network: { ...plainNetwork, extraCertificates } });
  }

  async function assertFails(
    host: string,
    extraCertificates: readonly string[],
    message: RegExp,
    kind: TrackerErrorKind = 'unreachable',
  ): Promise<void> {
    const { tracker, slept } = trackerTrusting(host, extraCertificates);
    await assert.rejects(tracker.listProjects(), (error: unknown) => {
      assert.ok(error instanceof TrackerError);
      assert.match(error.message, message);
      assert.equal(error.kind, kind);
      assert.ok(kind !== 'unreachable' || hasNeverLeft(error));
      assert.equal(error.request, 'GET /services/v3/projects');
      return true;
    });
    await tracker.close();
    assert.deepEqual(slept, [], 'trying again would be of no use');
    assert.equal(requests, 0);
  }

  it('that nobody vouches for are refused at once, and the setting that mends it is named', async () => {
    const code = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
    await assertFails(
      'localhost',
      [],
      new RegExp(`localhost:\\d+ is not trusted \\(${code}\\)\\..*storyTracker\\.extraCertificates`),
    );
    assert.equal(connections, 1);
  });
  it('for another name are refused at once', async () => {
    await assertFails('127.0.0.1', [authority.file], /is for another name/);
    assert.equal(connections, 1);
  });
  it('of an authority that was added are accepted, for reads and for files', async () => {
    const { tracker } = trackerTrusting('localhost', [authority.file]);
    assert.deepEqual(await tracker.listProjects(), []);
    const file = { kind: 'bytes', bytes: Buffer.alloc(2 ** 20), filename: 'x' } as const;
    assert.equal((await tracker.uploadAttachment(STORY, file)).id, 7);
    assert.ok(bytes > 2 ** 20);
    await tracker.close();
  });
  it('may stand in one file with others and with remarks', async () => {
    const other = new PrivateAuthority();
    const pems = [other.file, authority.file].map((file) => `# an authority\r\n${authority.read(file)}`);
    const { tracker } = trackerTrusting('localhost', [authority.write('both.pem', pems.join('\n'))]);
    assert.deepEqual(await tracker.listProjects(), []);
    await tracker.close();
    other.remove();
  });

  it('in a file that is not there are missed by name, until it is there', async () => {
    const file = join(authority.folder, 'later.pem');
    const { tracker } = trackerTrusting('localhost', [file]);
    await assert.rejects(tracker.listProjects(), {
      kind: 'input',
      message: `The file "${file}" of the setting storyTracker.extraCertificates cannot be read.`,
    });
    authority.write('later.pem', authority.read(authority.file));
    assert.deepEqual(await tracker.listProjects(), []);
    await tracker.close();
  });
  it('in files that hold none are missed by name', async () => {
    const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const files: readonly (readonly [string, RegExp])[] = [
      [authority.write('none.pem', 'hello'), /none\.pem".*extraCertificates contains no certificate in PEM format\.$/],
      [authority.write('damaged.pem', damaged), /damaged\.pem".*contains a damaged certificate\.$/],
      [authority.folder, /cannot be read\.$/],
      ['company.pem', /"company\.pem".*is not an absolute path\.$/],
    ];
    for (const [file, message] of files) await assertFails('localhost', [authority.file, file], message, 'input');
  });
  it('are nobody’s business where there is no TLS', async () => {
    const network = { ...plainNetwork, extraCertificates: ['/nowhere.pem'] };
    const { tracker } = trackerFor('http://127.0.0.1:9', { network });
    await assert.rejects(tracker.listProjects(), { message: /Nothing answers/ });
    await tracker.close();
  });
});
