import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpDownloads } from '../../../../src/client/files/downloads.ts';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import { plainNetwork } from '../../../../src/core/ports/connection.ts';
import { serve, type TestServer } from '../../../support/servers/testServer.ts';

const MIB = 1024 * 1024;

describe('downloads', () => {
  let folder: string;
  let server: TestServer;
  let answer: (response: ServerResponse, url: string) => void;
  const downloads = new HttpDownloads(plainNetwork);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'downloads-'));
    answer = (response) => void response.writeHead(200, { 'content-length': 5 }).end('hello');
    server = await serve(({ url }, response) => answer(response, url));
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  async function assertRefused(promise: Promise<unknown>, kind: TrackerErrorKind, message: RegExp): Promise<void> {
    await assert.rejects(promise, (error: unknown) => {
      assert.ok(error instanceof TrackerError, String(error));
      assert.equal(error.kind, kind, error.message);
      assert.match(error.message, message);
      return true;
    });
  }

  it('reads the beginning, and tells the size of the rest', async () => {
    const { bytes, size, isWhole } = await downloads.beginning(`${server.url}/f?signature=s`, 3);
    assert.deepEqual([Buffer.from(bytes).toString(), size, isWhole], ['hel', 5, false]);
  });

  it('knows the size of what it has read whole, and else nothing that was not told', async () => {
    answer = (response) => {
      response.write('he');
      setImmediate(() => response.end('llo'));
    };
    const whole = await downloads.beginning(server.url, 5);
    assert.deepEqual([Buffer.from(whole.bytes).toString(), whole.size, whole.isWhole], ['hello', 5, true]);
    const cut = await downloads.beginning(server.url, 4);
    assert.deepEqual([Buffer.from(cut.bytes).toString(), cut.size, cut.isWhole], ['hell', undefined, false]);
  });

  it('says nothing of who asks', async () => {
    await downloads.beginning(server.url.replace('//', '//ana:secret@'), 5);
    const { headers = {} } = server.seen[0] ?? {};
    for (const name of ['x-servicetoken', 'x-trackertoken', 'authorization', 'cookie', 'referer']) {
      assert.equal(headers[name], undefined, name);
    }
  });

  it('ends in the time of one download, however often it is redirected', async () => {
    answer = (response, url) => {
      const next = Number(url.slice(1) || 0) + 1;
      setTimeout(() => response.writeHead(302, { location: `/${next}` }).end(), 150);
    };
    const hasty = new HttpDownloads(plainNetwork, undefined, { total: 400 });
    await assertRefused(hasty.beginning(server.url, 5), 'timeout', /did not finish its answer in time/);
    assert.ok(server.seen.length < 5, `It was asked ${server.seen.length} times.`);
  });

  it('shares its time with asking for the address, and says that this took it', async () => {
    answer = () => undefined;
    const hasty = new HttpDownloads(plainNetwork, undefined, { total: 2000 });
    const start = performance.now();
    const saving = hasty.save(server.url, join(folder, 'a.txt'), { waited: 1900 });
    const took = /^No time was left to download the attachment\. Asking for its address took 2 seconds\. Check /;
    await assertRefused(saving, 'timeout', took);
    assert.ok(performance.now() - start < 1500, 'It had 100 ms.');
    const brief = new HttpDownloads(plainNetwork, undefined, { total: 100 });
    await assertRefused(
      brief.beginning(server.url, 5, { waited: 1 }),
      'timeout',
      /^The download of the attachment took too/,
    );
  });

  it('waits no longer than that for the proxy, and says so', async () => {
    const systemProxies = () => new Promise<string>(() => undefined);
    const hasty = new HttpDownloads(plainNetwork, { systemProxies }, { total: 100 });
    await assertRefused(
      hasty.beginning(server.url, 5),
      'timeout',
      /^Finding the proxy for .* took too long\. Check the proxy/,
    );
    const controller = new AbortController();
    const patient = new HttpDownloads(plainNetwork, { systemProxies }).beginning(server.url, 5, controller);
    controller.abort();
    await assertRefused(patient, 'cancelled', /Canceled/);
    assert.equal(server.seen.length, 0);
  });

  it('saves every byte, and tells how far it is', async () => {
    const bytes = Buffer.alloc(3 * MIB + 1, 'ab\r\n');
    answer = (response) => void response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    const told: (readonly [number, number | undefined])[] = [];
    const path = join(folder, 'saved ü.bin');
    const size = await downloads.save(server.url, path, { onProgress: (...now) => told.push(now) });
    assert.equal(size, bytes.length);
    assert.ok(bytes.equals(await readFile(path)));
    assert.deepEqual(told.at(-1), [bytes.length, bytes.length]);
    assert.deepEqual(await readdir(folder), ['saved ü.bin']);
  });

  it('replaces no file unasked', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'mine');
    await assertRefused(downloads.save(server.url, path), 'input', /A file named “a\.txt” already exists/);
    assert.equal(await readFile(path, 'utf8'), 'mine');
    await downloads.save(server.url, path, { isReplacing: true });
    assert.equal(await readFile(path, 'utf8'), 'hello');
    assert.deepEqual(await readdir(folder), ['a.txt']);
  });

  it('leaves what was there, and nothing else, when the answer breaks off', async () => {
    const path = join(folder, 'a.txt');
    await writeFile(path, 'mine');
    answer = (response) => {
      response.writeHead(200, { 'content-length': MIB }).write('some');
      setTimeout(() => response.destroy(), 20);
    };
    await assertRefused(downloads.save(server.url, path, { isReplacing: true }), 'unreachable', /interrupted/);
    assert.equal(await readFile(path, 'utf8'), 'mine');
    assert.deepEqual(await readdir(folder), ['a.txt']);
  });

  it('stops when told to, and leaves nothing', async () => {
    const controller = new AbortController();
    answer = (response) => {
      response.writeHead(200, { 'content-length': MIB }).write('some');
    };
    const onProgress = () => controller.abort();
    const saving = downloads.save(server.url, join(folder, 'a.txt'), { signal: controller.signal, onProgress });
    await assertRefused(saving, 'cancelled', /Canceled/);
    assert.deepEqual(await readdir(folder), []);
    const late = downloads.beginning(server.url, 5, { signal: controller.signal });
    await assertRefused(late, 'cancelled', /Canceled/);
    assert.equal(server.seen.length, 1);
  });

  it('says what the disk refuses', async () => {
    const saving = downloads.save(server.url, join(folder, 'missing', 'a.txt'));
    await assertRefused(saving, 'input', /Could not write “a\.txt”: .*ENOENT/);
  });

  it('follows an address that leads on', async () => {
    answer = (response, url) => {
      if (url === '/a') response.writeHead(302, { location: '/b?signature=s' }).end('elsewhere');
      else response.end('there');
    };
    const { bytes } = await downloads.beginning(`${server.url}/a`, 100);
    assert.equal(Buffer.from(bytes).toString(), 'there');
  });

  it('ends where an address leads around in circles, or off the web', async () => {
    answer = (response) => void response.writeHead(302, { location: '/' }).end();
    await assertRefused(downloads.beginning(server.url, 5), 'protocol', /in a loop/);
    answer = (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end();
    await assertRefused(downloads.beginning(server.url, 5), 'protocol', /not an http\(s\) URL/);
    for (const address of ['file:///etc/passwd', 'data:text/plain,x', 'javascript:1', '', '/f']) {
      await assertRefused(downloads.beginning(address, 5), 'protocol', /not an http\(s\) URL/);
    }
  });

  it('tells an address that has ended from a server that fails', async () => {
    for (const status of [403, 404, 410]) {
      answer = (response) => void response.writeHead(status).end('gone');
      await assertRefused(downloads.save(server.url, join(folder, 'a')), 'notFound', /may have expired/);
    }
    answer = (response) => void response.writeHead(500).end('oops');
    await assertRefused(downloads.save(server.url, join(folder, 'a')), 'server', /status 500/);
    assert.deepEqual(await readdir(folder), []);
  });

  it('keeps the address out of errors', async () => {
    answer = (response) => void response.writeHead(500).end();
    const failing = downloads.beginning(`${server.url}/f?signature=canary`, 5);
    await assert.rejects(failing, (error: Error) => !`${error.message} ${JSON.stringify(error)}`.includes('canary'));
  });
});
