import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createGzip, gzipSync } from 'node:zlib';
import type { TrackerOptions } from '../../../../src/client/http/calls.ts';
import { TrackerError, type TrackerErrorKind } from '../../../../src/core/errors.ts';
import {
  CANARY,
  everythingIn,
  type Seen,
  serve,
  type TestServer,
  trackerFor,
} from '../../../support/servers/testServer.ts';

const STORY = { projectId: 1, storyId: 2 };
const XML = readFileSync(new URL('../../../fixtures/v3/iterations.xml', import.meta.url));
const packed = gzipSync(XML);

describe('compressed answers', () => {
  const opened: { close(): Promise<void> }[] = [];

  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });

  async function answering(
    answer: Parameters<typeof serve>[0],
    options: Partial<TrackerOptions> = { isCompressed: true },
  ) {
    const server: TestServer = await serve(answer);
    const { tracker } = trackerFor(server.url, options);
    opened.push(server, tracker);
    return { server, tracker };
  }

  const sending = (body: Buffer, headers: Record<string, string> = {}) =>
    answering((_, response) => response.writeHead(200, { 'content-encoding': 'gzip', ...headers }).end(body));

  async function assertFails(work: Promise<unknown>, kind: TrackerErrorKind, message: RegExp): Promise<void> {
    const error = await work.then(
      () => assert.fail('it did not fail'),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof TrackerError, String(error));
    assert.equal(error.kind, kind, error.message);
    assert.match(error.message, message);
    assert.ok(!everythingIn(error).includes(CANARY));
  }

  const asked = ({ headers }: Seen) => headers['accept-encoding'];

  it('are asked for by reads only, and not of this machine', async () => {
    const story = '<story><id type="integer">2</id><name>x</name></story>';
    const { server, tracker } = await answering((_, response) => response.end(story));
    await tracker.getStory(STORY);
    await tracker.createStory(1, { name: 'x' });
    const here = await answering((_, response) => response.end(story), {});
    await here.tracker.getStory(STORY);
    assert.deepEqual([...server.seen, ...here.server.seen].map(asked), ['gzip', 'identity', 'identity']);
  });

  for (const coding of ['gzip', 'x-gzip', 'GZip']) {
    it(`are read: ${coding}`, async () => {
      const { tracker } = await sending(packed, { 'content-encoding': coding });
      assert.deepEqual(
        (await tracker.currentBacklog(1)).map(({ number, stories }) => [number, stories.length]),
        [
          [12, 2],
          [13, 1],
          [14, 0],
        ],
      );
    });
  }

  it('are read in whatever pieces they come', async () => {
    const { tracker } = await answering(async (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      for (const byte of packed) if (!response.write(Buffer.of(byte))) await new Promise((go) => setImmediate(go));
      response.end();
    });
    assert.equal((await tracker.currentBacklog(1)).length, 3);
  });

  it('may be plain although gzip was asked for', async () => {
    const { tracker } = await answering((_, response) => response.end(XML));
    assert.equal((await tracker.currentBacklog(1)).length, 3);
  });

  it('are never taken for whole when they are cut, at any place', async () => {
    let length = 0;
    const { tracker } = await answering((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed.subarray(0, length));
    });
    for (; length < packed.length; length += length < 24 || length > packed.length - 12 ? 1 : 37) {
      await assertFails(tracker.currentBacklog(1), 'protocol', /compressed answer of .* is damaged or incomplete/);
    }
  });

  it('are refused when a byte is another', async () => {
    const changed = Buffer.from(packed);
    const at = changed.length - 6;
    changed[at] = (changed[at] ?? 0) ^ 1;
    await assertFails((await sending(changed)).tracker.currentBacklog(1), 'protocol', /damaged/);
  });

  it('are refused when they are not compressed at all, or otherwise', async () => {
    await assertFails((await sending(XML)).tracker.currentBacklog(1), 'protocol', /damaged/);
    for (const coding of ['br', 'deflate', 'gzip, gzip', 'zstd']) {
      const { tracker } = await sending(packed, { 'content-encoding': coding });
      await assertFails(tracker.currentBacklog(1), 'protocol', /not requested/);
    }
  });

  it('count as a connection cut off when that is what happened, and are asked for again', async () => {
    const { server, tracker } = await answering((_, response, nth) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length });
      if (nth > 1) response.end(packed);
      else response.write(packed.subarray(0, 99), () => response.destroy());
    });
    assert.equal((await tracker.currentBacklog(1)).length, 3);
    assert.equal(server.seen.length, 2);
  });

  it('that grow without end stop at what a document may have', async () => {
    let written = 0;
    const { tracker } = await answering((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.on('data', (chunk: Buffer) => (written += chunk.length));
      gzip.pipe(response);
      gzip.on('error', () => undefined);
      gzip.write('<stories type="array">');
      const story = `<story><id>1</id><name>${'x'.repeat(60_000)}</name></story>`.repeat(16);
      const more = () => {
        if (!response.destroyed) gzip.write(story, more);
      };
      more();
    });
    await assertFails(tracker.listStories(1, {}), 'protocol', /larger than 67108864 bytes/);
    assert.ok(written < 4 * 1024 * 1024, String(written));
  });

  it('tell why something was refused', async () => {
    const body = gzipSync('<errors><error>Not this one.</error></errors>');
    const refusing = (bytes: Buffer) =>
      answering((_, response) => response.writeHead(404, { 'content-encoding': 'gzip' }).end(bytes));
    await assertFails((await refusing(body)).tracker.getStory(STORY), 'notFound', /^Not this one\.$/);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));
    await assertFails((await refusing(bomb)).tracker.getStory(STORY), 'notFound', /does not have this/);
    await assertFails((await refusing(body.subarray(0, 30))).tracker.getStory(STORY), 'notFound', /./);
  });
}).timeout(20_000);
