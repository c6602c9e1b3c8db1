import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { MultipartScanner } from '../../src/service/attachments/multipartScanner.ts';
import { growth } from '../support/measures/growth.ts';
import { newProject, newStory } from './support/project.ts';
import { rawHead } from './support/raw.ts';
import { assertStatus, idOf, request } from './support/request.ts';
import { type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

/** Chunks of one byte each; kept one by one they take hundreds of times their size. */
const PIECES = 600_000;
const AT_ONCE = 10_000;

describe('a body in pieces of one byte', () => {
  let folder: string;
  let service: ServiceProcess;
  let root: TestUser;
  let story: string;

  before(async () => {
    folder = await temporaryFolder();
    // Of megabytes: a fraction of what the pieces would take.
    service = await serveProcess(['--demo', '--data', folder], undefined, { NODE_OPTIONS: '--max-old-space-size=64' });
    root = userOf(service.url, '', '', service.token);
    const projectId = await newProject(root);
    story = `/projects/${projectId}/stories/${await newStory(root, projectId, 'Buoys')}`;
  });
  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends a body in chunks of one byte and gives the status of the answer. */
  async function send(path: string, start: string, end: string, ...headers: readonly string[]): Promise<number> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    let text = '';
    socket.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    const closed = once(socket, 'close').catch(() => undefined);
    const write = async (bytes: string) => {
      if (!socket.destroyed && !socket.write(bytes)) {
        await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
      }
    };
    const chunked = (bytes: string) => [...bytes].map((byte) => `1\r\n${byte}\r\n`).join('');
    const head = [`POST /services/v3${path} HTTP/1.1`, 'Host: localhost', `X-ServiceToken: ${service.token}`];
    await write(rawHead(...head, 'Transfer-Encoding: chunked', 'Connection: close', ...headers) + chunked(start));
    const some = chunked('x'.repeat(AT_ONCE));
    for (let sent = 0; sent < PIECES; sent += AT_ONCE) await write(some);
    await write(`${chunked(end)}0\r\n\r\n`);
    await closed;
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
  }

  it('takes no more memory than another, and others are answered in the meantime', async () => {
    let isOver = false;
    let answered = 0;
    const others = (async () => {
      for (; !isOver; answered += 1) assertStatus(await root.get(story), 200);
    })();
    /** The same as `send`; someone else was answered meanwhile, more than once. */
    const attack = async (...what: Parameters<typeof send>): Promise<number> => {
      const before = answered;
      const status = await send(...what);
      assert.ok(answered > before + 1, `${answered - before} answers during ${what[0]} with ${what[1].slice(0, 20)}`);
      return status;
    };
    const xml = ['<story><name>a</name><description>', '</description></story>'] as const;
    const part = 'Content-Disposition: form-data; name="Filedata"; filename="a.txt"';
    const form = [`--b\r\n${part}\r\n\r\n`, '\r\n--b--\r\n'] as const;
    assert.equal(await attack('/projects/1/stories', ...xml), 422);
    assert.equal(await attack('/projects/1/stories', 'story[name]=a&story[description]=', ''), 422);
    assert.equal(await attack(`${story}/attachments`, ...form, 'Content-Type: multipart/form-data; boundary=b'), 200);
    assert.equal(await attack(`${story}/attachments`, '', '', 'Content-Type: multipart/form-data; boundary=b'), 400);
    assert.equal(
      await attack(`${story}/attachments`, `--b\r\n${part}`, '', 'Content-Type: multipart/form-data; boundary=b'),
      400,
    );
    assert.notEqual(await attack('/tokens/active', 'username=a&password=', ''), 200);
    isOver = true;
    await others;
    assert.match((await root.get(story)).text, /<filename>a\.txt<\/filename>/);
    assertStatus(await request(`${service.url}/healthz`), 200);
    assert.ok(idOf(await root.get(story)) > 0);
  }).timeout(120_000);
});

describe('the scanner of multipart bodies', () => {
  const HEAD = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n';

  it('takes time that grows with the length only, in whatever pieces it comes', () => {
    const bodies: Readonly<Record<string, (size: number) => string>> = {
      'a preamble': (size) => 'x'.repeat(size),
      'a file': (size) => `${HEAD}${'x'.repeat(size)}`,
      'what looks like a delimiter': (size) => `${HEAD}${'\r\n--'.repeat(size / 4)}`,
      'line ends': (size) => `${HEAD}${'\r\n'.repeat(size / 2)}`,
      'many heads': (size) => `${HEAD}${'x'.repeat(16)}\r\n`.repeat(size / 64),
      'a head': (size) => `--b\r\nA: ${'x'.repeat(size / 8)}`,
    };
    for (const [what, body] of Object.entries(bodies)) {
      for (const length of [1, 1_000]) {
        const factor = growth(
          15_000,
          (size) => Buffer.from(body(size)),
          (bytes) => {
            const scanner = new MultipartScanner('b');
            for (let from = 0; from < bytes.length; from += length) {
              for (const _ of scanner.push(bytes.subarray(from, from + length)));
            }
          },
        );
        assert.ok(factor < 3.2, `${what} in pieces of ${length}: ${factor}`);
      }
    }
  });
});
