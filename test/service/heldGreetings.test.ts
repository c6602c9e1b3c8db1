import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { eventually } from '../support/eventually.ts';
import { PrivateAuthority } from '../support/servers/privateAuthority.ts';
import { HeldGreeting } from './support/heldGreeting.ts';
import { canWatch, LONGEST_WAIT, ServiceWatch } from './support/hostile/serviceWatch.ts';
import { rawHead } from './support/raw.ts';
import { type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { temporaryFolder } from './support/testService.ts';

const MANY = 100;
/** Characters of which each is a piece: as many as are read at once. */
const LENGTH = 10_000;
/** Of which there are more than are read at once. */
const LONG = 100_000;
const SOME = 6;
/** Of many who are answered one after the other; who is not let pass waits for more than a dozen. */
const FEW = 10;
/** What keeps others waiting does so each time; what else goes on here and in the database does not. */
const TIMES = 3;
/** Milliseconds in which the service reads some of what came together, but not what all have sent. */
const READ = 20;

/** What the service answers over a connection from this port; nothing where another program has taken it. */
function statusFrom(localPort: number, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const line = connect({ host: hostname, port: Number(port), localPort });
    line.on('error', (error) => {
      if ('code' in error && error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    const socket = connectTls({ socket: line, rejectUnauthorized: false });
    let text = '';
    socket.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
    socket.on('error', reject).on('close', () => resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])));
    socket.write(rawHead('GET /healthz HTTP/1.1', `Host: ${hostname}`, 'Connection: close'));
  });
}

/** What is answered to a request over a connection of its own. */
function answerTo(bytes: Buffer, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false }, () =>
      socket.write(bytes),
    );
    let text = '';
    socket.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

describe('many callers over TLS with a body in pieces of a byte', () => {
  let folder: string;
  let service: ServiceProcess;

  before(async () => {
    const authority = new PrivateAuthority();
    folder = await temporaryFolder();
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const { cert, key } = authority.identity(['127.0.0.1']);
    authority.remove();
    await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
    service = await serveProcess(['--demo', '--data', folder, '--cert', files.cert, '--key', files.key]);
  });
  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    await rm(folder, { recursive: true, force: true });
  });

  const storyXml = (length: number) =>
    `<story><name>Held</name><description>${'x'.repeat(length)}</description></story>`;

  /** The head of a request for a story, whose body comes so. */
  const storyHead = (how: string) =>
    rawHead(
      'POST /services/v3/projects/1/stories HTTP/1.1',
      'Host: localhost',
      `X-ServiceToken: ${service.token}`,
      'Content-Type: application/xml',
      how,
      'Connection: close',
    );

  /** A request for a story whose description is so long, in pieces of a byte. */
  function storyInPieces(length = LENGTH): Buffer {
    const pieces = storyXml(length).replace(/./g, '1\r\n$&\r\n');
    return Buffer.from(`${storyHead('Transfer-Encoding: chunked')}${pieces}0\r\n\r\n`);
  }

  /** The same in one. */
  function storyInOne(): Buffer {
    const xml = storyXml(LENGTH);
    return Buffer.from(`${storyHead(`Content-Length: ${xml.length}`)}${xml}`);
  }

  it('who end their greeting together with it and are gone at once do not keep out who comes from where they were, nor the service from stopping', async () => {
    const bytes = storyInPieces();
    const all: HeldGreeting[] = [];
    for (let opened = 0; opened < MANY; opened += 1) all.push(await HeldGreeting.open(service.url, bytes));
    for (const held of all) held.release();
    await wait(READ);
    const statuses = await Promise.all(all.map(async (held) => statusFrom(await held.reset(), service.url)));
    const answered = statuses.filter((status) => status !== undefined);
    assert.ok(answered.length > MANY / 2, `${answered.length}`);
    assert.deepEqual([...new Set(answered)], [200]);
  }).timeout(60_000);

  it('who end their greeting together with it are all answered, and every byte of theirs arrives, while others hardly wait', async () => {
    const bytes = storyInPieces();
    await whileOthersHardlyWait(async () => {
      const all: HeldGreeting[] = [];
      for (let opened = 0; opened < MANY; opened += 1) all.push(await HeldGreeting.open(service.url, bytes));
      for (const held of all) held.release();
      for (const held of all) assertMade(await held.answer, LENGTH);
    });
  }).timeout(120_000);

  it('keep nobody waiting behind them whose body, though it comes with the greeting too, is as long in one piece', async () => {
    const bytes = storyInPieces();
    const all: HeldGreeting[] = [];
    for (let opened = 0; opened < MANY; opened += 1) all.push(await HeldGreeting.open(service.url, bytes));
    let answered = 0;
    const others = all.map((held) => held.answer.then(() => (answered += 1)));
    for (const held of all) held.release();
    await eventually(() => assert.ok(answered > 0));
    const plain = await HeldGreeting.open(service.url, storyInOne());
    const before = answered;
    plain.release();
    assertMade(await plain.answer, LENGTH);
    assert.ok(answered - before < FEW, `${before} before, ${answered} now`);
    await Promise.all(others);
  }).timeout(60_000);

  it('who go on sending it after their greeting are answered, too, while others hardly wait', async () => {
    const bytes = storyInPieces(LONG);
    await whileOthersHardlyWait(async () => {
      const answers = await Promise.all(Array.from({ length: SOME }, () => answerTo(bytes, service.url)));
      for (const answer of answers) assertMade(answer, LONG);
    });
  }).timeout(120_000);

  async function whileOthersHardlyWait(work: () => Promise<void>): Promise<void> {
    let least = Number.POSITIVE_INFINITY;
    for (let times = 0; times < TIMES && least > LONGEST_WAIT; times += 1) {
      least = Math.min(least, await longestWaitDuring(work));
    }
    if (canWatch) assert.ok(least <= LONGEST_WAIT, `${least} ms`);
  }

  async function longestWaitDuring(work: () => Promise<void>): Promise<number> {
    const watch = new ServiceWatch(`${service.url}/services/v3/projects/1`, service.token, service.child.pid ?? 0);
    await eventually(() => assert.ok(watch.waits.length > 0));
    const answered = watch.waits.length;
    await work();
    await eventually(() => assert.ok(watch.waits.length > answered + 1));
    await watch.stop();
    for (const { status } of watch.waits) assert.equal(status, 200);
    return Math.max(...watch.waits.map(({ judged }) => judged));
  }

  function assertMade(answer: string, length: number): void {
    assert.match(answer, /^HTTP\/1\.1 200/);
    assert.equal(/<description>(x*)<\/description>/.exec(answer)?.[1]?.length, length);
  }
});
