import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readlink, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HttpTracker } from '../../../../src/client/tracker/httpTracker.ts';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import type { UploadOptions } from '../../../../src/core/ports/tracker.ts';
import { busboy } from '../../../support/servers/multipart.ts';
import { listen, type TestServer, trackerFor } from '../../../support/servers/testServer.ts';

const STORY = { projectId: 1, storyId: 2 };
const MIB = 1024 * 1024;
const PENDING = '<attachment><id type="integer">7</id><status>Pending</status></attachment>';

describe('upload', () => {
  let folder: string;
  let server: TestServer;
  let tracker: HttpTracker;
  let received: { filename: string; field: string; size: number; hash: string }[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upload-'));
    received = [];
    server = await listen(async (request, response) => {
      const file = await busboy(request);
      received.push(file);
      response.end(PENDING);
    });
    tracker = trackerFor(server.url).tracker;
  });
  afterEach(async () => {
    await tracker.close();
    await server.close();
    await rm(folder, { recursive: true });
  });

  async function file(name: string, bytes: Uint8Array | number): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, typeof bytes === 'number' ? '' : bytes);
    if (typeof bytes === 'number') await truncate(path, bytes);
    return path;
  }

  function send(path: string, filename = 'notes.txt', options: UploadOptions = {}) {
    return tracker.uploadAttachment(STORY, { kind: 'file', path, filename }, options);
  }

  async function assertRefused(promise: Promise<unknown>, kind: TrackerErrorKind, message: RegExp): Promise<void> {
    await assert.rejects(promise, (error: unknown) => {
      assert.ok(error instanceof TrackerError, String(error));
      assert.equal(error.kind, kind, error.message);
      assert.match(error.message, message);
      return true;
    });
  }

  for (const size of [0, 1, 512 * 1024 - 1, 512 * 1024, 512 * 1024 + 1, 3 * MIB + 17]) {
    it(`sends ${size} bytes unchanged, with progress to the end`, async () => {
      const bytes = Buffer.from(Array.from({ length: Math.min(size, 4096) }, (_, index) => (index * 7) % 256));
      const whole = Buffer.alloc(size, bytes.length > 0 ? bytes : Buffer.from([0]));
      for (let start = 0; start < size; start += 4096) whole.writeUInt8((start / 4096) % 256, start);
      const told: [number, number][] = [];
      const sent = await send(await file('a', whole), 'a.bin', {
        onProgress: (done, total) => told.push([done, total]),
      });
      assert.deepEqual(sent, { id: 7, filename: 'a.bin', status: 'Pending' });
      const hash = createHash('sha256').update(whole).digest('hex');
      assert.deepEqual(received, [{ field: 'Filedata', filename: 'a.bin', size, hash }]);
      assert.deepEqual(told.at(-1), [size, size]);
    });
  }

  it('sends bytes that are nowhere on disk', async () => {
    const bytes = Buffer.alloc(2 * MIB, 'x');
    await tracker.uploadAttachment(STORY, { kind: 'bytes', bytes, filename: 'diff.patch' });
    assert.equal(received[0]?.hash, createHash('sha256').update(bytes).digest('hex'));
  });

  it('escapes what would end the file name', async () => {
    await send(await file('a', Buffer.from('x')), 'say "hi"\r\nX: y é.txt');
    assert.equal(received[0]?.filename, 'say %22hi%22%0D%0AX: y é.txt');
  });

  it('says a length that is the length of the body', async () => {
    let declared: string | undefined;
    let counted = 0;
    const other = await listen((request, response) => {
      declared = request.headers['content-length'];
      request.on('data', (chunk: Buffer) => {
        counted += chunk.length;
      });
      request.on('end', () => response.end(PENDING));
    });
    const sender = trackerFor(other.url).tracker;
    await sender.uploadAttachment(STORY, { kind: 'file', path: await file('a', 700_000), filename: 'a' });
    assert.equal(declared, String(counted));
    await sender.close();
    await other.close();
  });

  it('refuses what cannot be sent before any request', async () => {
    await assertRefused(send(folder, 'folder'), 'input', /"folder" is a folder/);
    await assertRefused(send(join(folder, 'missing'), 'missing'), 'input', /no longer exists/);
    await assertRefused(send(await file('a', 1), ''), 'input', /needs a file name/);
    await assertRefused(send('/dev/null', 'null'), 'input', /not a regular file/);
    assert.equal(server.connections(), 0);
  });

  it('refuses a file that may not be read', async function () {
    // Root may read every file.
    if (process.getuid?.() === 0) this.skip();
    const path = await file('a', 1);
    await chmod(path, 0);
    await assertRefused(send(path, 'a'), 'input', /do not have permission to read "a"/);
  });

  it('fails when the file shrinks while it is sent', async () => {
    const path = await file('a', 64 * MIB);
    let isCut = false;
    const sending = send(path, 'a', {
      onProgress: () => {
        if (!isCut) void truncate(path, MIB);
        isCut = true;
      },
    });
    await assertRefused(sending, 'input', /changed while it was being sent/);
  });

  it('fails when the file grows while it is sent', async () => {
    const path = await file('a', 16 * MIB);
    let isGrown = false;
    const sending = send(path, 'a', {
      onProgress: () => {
        if (!isGrown) void truncate(path, 17 * MIB);
        isGrown = true;
      },
    });
    await assertRefused(sending, 'input', /changed while it was being sent/);
    assert.deepEqual(received, []);
  });

  it('stops and closes the file when it is cancelled', async () => {
    const path = await file('a', 256 * MIB);
    const stop = new AbortController();
    const slow = await listen((request) => void request.pause());
    const sender = trackerFor(slow.url).tracker;
    const options = { signal: stop.signal, onProgress: () => stop.abort() };
    await assertRefused(
      sender.uploadAttachment(STORY, { kind: 'file', path, filename: 'a' }, options),
      'cancelled',
      /Canceled/,
    );
    assert.deepEqual(await openFiles(folder), []);
    await sender.close();
    await slow.close();
  });

  for (const status of [413, 401]) {
    it(`gives the server's answer when it says ${status} while we still send`, async () => {
      const strict = await listen((request, response) => {
        request.once('data', () => {
          request.pause();
          response.writeHead(status, { connection: 'close' });
          response.end('<errors><error>The server spoke early.</error></errors>');
        });
      });
      const sender = trackerFor(strict.url).tracker;
      const path = await file('a', 64 * MIB);
      const sending = sender.uploadAttachment(STORY, { kind: 'file', path, filename: 'a' });
      await assertRefused(sending, status === 413 ? 'tooLarge' : 'unauthorized', /spoke early/);
      assert.deepEqual(await openFiles(folder), []);
      await sender.close();
      await strict.close();
    });
  }

  it('gives up on a server that takes nothing more', async () => {
    const silent = await listen((request) => void request.pause());
    const sender = trackerFor(silent.url, { timeouts: { headers: 300 } }).tracker;
    const path = await file('a', 64 * MIB);
    const sending = sender.uploadAttachment(STORY, { kind: 'file', path, filename: 'a' });
    await assertRefused(sending, 'timeout', /did not answer in time/);
    assert.deepEqual(await openFiles(folder), []);
    await sender.close();
    await silent.close();
  });

  it('has no time-out for the whole of an upload that goes on', async () => {
    const slow = await listen(async (request, response) => {
      for await (const _ of request) await new Promise((resolve) => setTimeout(resolve, 50));
      response.end(PENDING);
    });
    const sender = trackerFor(slow.url, { timeouts: { total: 1_000 } }).tracker;
    const begun = performance.now();
    await sender.uploadAttachment(STORY, { kind: 'file', path: await file('a', 2 * MIB), filename: 'a' });
    assert.ok(performance.now() - begun > 1_000);
    await sender.close();
    await slow.close();
  });

  it('takes the attachment from the story when the answer says nothing', async () => {
    const attachments = [3, 9, 4].map((id) => `<attachment><id>${id}</id><filename>a</filename></attachment>`).join('');
    const quiet = await listen((request, response) => {
      request.resume();
      request.on('end', () => {
        response.end(
          request.method === 'GET'
            ? `<story><id>2</id><attachments type="array">${attachments}</attachments></story>`
            : 'ok',
        );
      });
    });
    const sender = trackerFor(quiet.url).tracker;
    const sent = await sender.uploadAttachment(STORY, { kind: 'bytes', bytes: Buffer.from('x'), filename: 'a' });
    assert.deepEqual(sent, { id: 9, filename: 'a' });
    await sender.close();
    await quiet.close();
  });

  it('needs no more memory for a large file', async () => {
    const before = process.memoryUsage.rss();
    let highest = 0;
    await send(await file('sparse', 128 * MIB), 'a', {
      onProgress: () => {
        highest = Math.max(highest, process.memoryUsage.rss());
      },
    });
    assert.equal(received[0]?.size, 128 * MIB);
    assert.ok(highest - before < 96 * MIB, `${Math.round((highest - before) / MIB)} MiB`);
  });
}).timeout(20_000);

async function openFiles(folder: string): Promise<readonly string[]> {
  const names = await readdir('/proc/self/fd').catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return targets.filter((target) => target.startsWith(folder));
}
