import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpDownloads } from '../../../../src/client/files/downloads.ts';
import { RequestSlots } from '../../../../src/client/http/pace.ts';
import { DEFAULT_TIMEOUTS } from '../../../../src/client/http/timeouts.ts';
import { isCancelled, TrackerError } from '../../../../src/core/errors.ts';
import { plainNetwork } from '../../../../src/core/ports/connection.ts';
import { listen, type TestServer, trackerFor } from '../../../support/servers/testServer.ts';

const STORY = { projectId: 1, storyId: 2 };
const KIB = 1024;
const LATE = /did not finish its answer in time/;
const NEVER = new AbortController().signal;

/** Writes a piece every so many milliseconds, for ever or so many times, and then the end. */
function drip(response: ServerResponse, piece: string | Buffer, every: number, times = Infinity, end = ''): void {
  let written = 0;
  const timer = setInterval(() => {
    written += 1;
    if (written <= times) response.write(piece);
    else response.end(end);
    if (written > times) clearInterval(timer);
  }, every);
  response.on('close', () => clearInterval(timer));
}

describe('the least pace', () => {
  const servers: TestServer[] = [];
  const ended: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const end of ended.splice(0)) await end();
    for (const server of servers.splice(0)) await server.close();
  });

  async function start(...args: Parameters<typeof listen>): Promise<string> {
    const server = await listen(...args);
    servers.push(server);
    return server.url;
  }

  function trackerAt(url: string, timeouts: Partial<typeof DEFAULT_TIMEOUTS>) {
    const { tracker } = trackerFor(url, { timeouts });
    ended.push(() => tracker.close());
    return tracker;
  }

  async function assertLate(work: Promise<unknown>): Promise<void> {
    await assert.rejects(work, (error) => {
      assert.ok(error instanceof TrackerError, String(error));
      assert.deepEqual([error.kind, LATE.test(error.message)], ['timeout', true], error.message);
      return true;
    });
  }

  it('is asked for after less than a minute', () => {
    assert.deepEqual([DEFAULT_TIMEOUTS.total, DEFAULT_TIMEOUTS.longest], [45_000, 600_000]);
  });

  it('lets an answer take longer that keeps it', async () => {
    const url = await start((_, response) => {
      response.write('<story><id>2</id><name>');
      drip(response, 'x'.repeat(32 * KIB), 30, 15, '</name></story>');
    });
    const { name } = await trackerAt(url, { total: 150 }).getStory(STORY);
    assert.equal(name.length, 15 * 32 * KIB);
  });

  it('ends an answer that comes a byte at a time, and tries it no more', async () => {
    let asked = 0;
    const url = await start((_, response) => {
      asked += 1;
      drip(response, ' ', 10);
    });
    await assertLate(trackerAt(url, { total: 200 }).getStory(STORY));
    assert.equal(asked, 1);
  });

  it('ends an answer that never ends, however fast it comes', async () => {
    const url = await start((_, response) => {
      response.write('<projects type="array">');
      drip(response, '<project><id>1</id><name>x</name></project>'.repeat(500), 10);
    });
    await assertLate(trackerAt(url, { total: 100, longest: 400 }).listProjects());
  });

  it('is that of all reads together where they share their time', async () => {
    const asked: string[] = [];
    const url = await start(({ url: path = '' }, response) => {
      asked.push(path.endsWith('/stories/2') ? 'story' : 'projects');
      drip(response, ' ', 10);
    });
    const tracker = trackerAt(url, { total: 200 }).sharingTime(0);
    await assertLate(tracker.listProjects());
    await assertLate(tracker.getStory(STORY));
    assert.deepEqual(asked, ['projects']);
  });

  it('reckons with the time that passed before the first of them', async () => {
    let asked = 0;
    const url = await start((_, response) => {
      asked += 1;
      response.end('<projects type="array"/>');
    });
    const tracker = trackerAt(url, { total: 10_000 });
    await assertLate(tracker.sharingTime(10_000).listProjects());
    assert.equal(asked, 0);
    assert.deepEqual(await tracker.sharingTime(0).listProjects(), []);
  });

  it('is that of reads together of which each is told what those before have taken', async () => {
    let asked = 0;
    const url = await start((_, response) => {
      asked += 1;
      response.end('<attachment><id>3</id></attachment>');
    });
    const tracker = trackerAt(url, { total: 10_000 });
    await assertLate(tracker.getAttachment(STORY, 3, { waited: 10_000 }));
    assert.equal(asked, 0);
    assert.equal((await tracker.getAttachment(STORY, 3, { waited: 1 })).id, 3);
  });

  it('lets reads that share their time take longer for what came of any of them', async () => {
    const url = await start(({ url: path = '' }, response) => {
      if (!path.endsWith('/stories/2'))
        return void response.end(`<projects type="array">${' '.repeat(320 * KIB)}</projects>`);
      response.write('<story><id>2</id>');
      drip(response, ' ', 40, 10, '</story>');
    });
    const tracker = trackerAt(url, { total: 200 }).sharingTime(0);
    await tracker.listProjects();
    assert.equal((await tracker.getStory(STORY)).id, 2);
  });

  it('leaves changes their own time', async () => {
    const url = await start((_, response) => response.end('<note><id>7</id><text>x</text></note>'));
    assert.equal((await trackerAt(url, { total: 10_000 }).sharingTime(10_000).addNote(STORY, 'x')).id, 7);
  });

  for (const status of [401, 404, 422, 500]) {
    it(`ends a refusal with ${status} that comes a byte at a time`, async () => {
      const url = await start((_, response) => {
        response.writeHead(status);
        drip(response, ' ', 10);
      });
      await assertLate(trackerAt(url, { total: 200 }).addNote(STORY, 'x'));
    });
  }

  it('lets an upload take longer that keeps it', async () => {
    const url = await start(async (request, response) => {
      for await (const _ of request) await sleep(10);
      response.end('<attachment><id>1</id></attachment>');
    });
    const tracker = trackerAt(url, { total: 500, filePace: 512 * KIB });
    const source = { kind: 'bytes', bytes: Buffer.alloc(8 * 1024 * KIB), filename: 'a' } as const;
    assert.equal((await tracker.uploadAttachment(STORY, source)).id, 1);
  });

  it('ends an upload of which too little is taken', async () => {
    const url = await start(async (request) => {
      for await (const _ of request) await sleep(50);
    });
    const tracker = trackerAt(url, { total: 100, filePace: 64 * 1024 * KIB });
    const source = { kind: 'bytes', bytes: Buffer.alloc(32 * 1024 * KIB), filename: 'a' } as const;
    await assertLate(tracker.uploadAttachment(STORY, source));
  });

  it('ends the answer to an upload that comes a byte at a time', async () => {
    const url = await start((request, response) => {
      request.resume().on('end', () => drip(response, ' ', 10));
    });
    const tracker = trackerAt(url, { total: 200 });
    const source = { kind: 'bytes', bytes: Buffer.alloc(4 * 1024 * KIB), filename: 'a' } as const;
    await assertLate(tracker.uploadAttachment(STORY, source));
  });

  it('ends the head of an answer to an upload that comes a byte at a time', async () => {
    const url = await start((request, response) => {
      request.resume().on('end', () => {
        const { socket } = response;
        socket?.write('HTTP/1.1 200 OK\r\nX-More: ');
        const timer = setInterval(() => socket?.write('x'), 10);
        socket?.on('close', () => clearInterval(timer));
      });
    });
    const tracker = trackerAt(url, { total: 200, headers: 300 });
    const source = { kind: 'bytes', bytes: Buffer.alloc(4 * 1024 * KIB), filename: 'a' } as const;
    await assert.rejects(tracker.uploadAttachment(STORY, source), /in time/);
  });

  it('ends a download that comes a byte at a time, and leaves nothing of it', async () => {
    const url = await start((_, response) => drip(response, 'x', 10));
    const downloads = new HttpDownloads(plainNetwork, undefined, { total: 200 });
    const folder = await mkdtemp(join(tmpdir(), 'least-pace-'));
    ended.push(() => rm(folder, { recursive: true }));
    await assertLate(downloads.save(url, join(folder, 'a')));
    await assertLate(downloads.beginning(url, 100));
    assert.deepEqual(await readdir(folder), []);
  });

  it('lets a download take longer that keeps it', async () => {
    const url = await start((_, response) => drip(response, Buffer.alloc(4 * KIB), 20, 20));
    const downloads = new HttpDownloads(plainNetwork, undefined, { total: 100 });
    assert.equal((await downloads.beginning(url, 1024 * KIB)).size, 80 * KIB);
  });

  it('needs no more memory for answers in the smallest pieces', async () => {
    const size = 512 * KIB;
    const one = Buffer.from('1\r\n \r\n'.repeat(size));
    const url = await start((_, { socket }) => {
      socket?.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      socket?.write(one);
      socket?.write(`${'<note><id>1</id></note>'.length.toString(16)}\r\n<note><id>1</id></note>\r\n0\r\n\r\n`);
    });
    const downloads = new HttpDownloads(plainNetwork);
    const { bytes } = await downloads.beginning(url, 2 * size);
    assert.equal(bytes.length, size + 23);
    assert.ok(bytes.buffer.byteLength < 2 * size, String(bytes.buffer.byteLength));
  });
}).timeout(20_000);

describe('turns of requests', () => {
  it('are given in the order in which they are asked for, so many at once', async () => {
    const slots = new RequestSlots(2, 60_000);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const runs = [1, 2, 3, 4].map((nth) =>
      slots.run(() => {
        begun.push(nth);
        return new Promise<void>((resolve) => ends.push(resolve));
      }, NEVER),
    );
    await sleep(0);
    assert.deepEqual(begun, [1, 2]);
    ends[1]?.();
    await runs[1];
    await sleep(0);
    assert.deepEqual(begun, [1, 2, 3]);
    for (let at = 0; at < 4; at++) {
      ends[at]?.();
      await sleep(0);
    }
    await Promise.all(runs);
    assert.deepEqual(begun, [1, 2, 3, 4]);
  });

  it('are not waited for behind those that hang', async () => {
    const slots = new RequestSlots(2, 20);
    const hanging = [1, 2].map(() => slots.run(() => sleep(2_000, undefined, { ref: false }), NEVER));
    assert.equal(await slots.run(async () => 'done', NEVER), 'done');
    assert.equal(await Promise.race([...hanging, sleep(0, 'hanging')]), 'hanging');
  });

  it('are given back once, and by what fails too', async () => {
    const slots = new RequestSlots(1, 5);
    await assert.rejects(
      slots.run(() => Promise.reject(new Error('failed')), NEVER),
      /failed/,
    );
    await slots.run(() => sleep(30), NEVER);
    let atOnce = 0;
    let most = 0;
    const work = async () => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      await sleep(1);
      atOnce -= 1;
    };
    await Promise.all([1, 2, 3].map(() => slots.run(work, NEVER)));
    assert.equal(most, 1);
  });

  it('are not taken by whoever gave up', async () => {
    const slots = new RequestSlots(1, 60_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = slots.run(() => promise, NEVER);
    const stop = new AbortController();
    const second = slots.run(async () => assert.fail('it ran'), stop.signal);
    stop.abort();
    await assert.rejects(second, (error) => isCancelled(error));
    const third = slots.run(async () => 'third', NEVER);
    resolve();
    await first;
    assert.equal(await third, 'third');
  });
});
