import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { PrivateAuthority } from '../support/servers/privateAuthority.ts';
import { HeldGreeting } from './support/heldGreeting.ts';
import { LONGEST_WAIT } from './support/hostile/hostileRun.ts';
import { canWatch, ServiceWatch } from './support/hostile/serviceWatch.ts';
import { rawHead } from './support/raw.ts';
import { runService, type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { temporaryFolder } from './support/testService.ts';

const MANY = 100;
/** Tries of which the best one counts: what others on this machine do is not there each time. */
const TRIES = 4;
/** Characters of which each is a piece: as many as are read at once. */
const LENGTH = 10_000;
/** In which the watch has asked some times. */
const QUIET_MS = 300;

describe('many callers who end their greeting of TLS at once, together with a body in pieces of a byte', function () {
  this.timeout(180_000);
  let folder: string;
  let service: ServiceProcess;
  let watch: ServiceWatch;

  before(async function () {
    if (!canWatch) this.skip();
    const authority = new PrivateAuthority();
    folder = await temporaryFolder();
    const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
    const { cert, key } = authority.identity(['127.0.0.1']);
    authority.remove();
    await Promise.all([writeFile(files.cert, cert), writeFile(files.key, key)]);
    service = await serveProcess(['--demo', '--data', folder, '--cert', files.cert, '--key', files.key]);
    const ada = await runService(['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', folder]);
    const token = ada.stdout.trim().split('\n').at(-1) ?? '';
    watch = new ServiceWatch(`${service.url}/services/v3/projects`, token, service.child.pid ?? 0);
  });
  after(async () => {
    if (!canWatch) return;
    await watch.stop();
    assert.equal(await service.end('SIGTERM'), 0);
    await rm(folder, { recursive: true, force: true });
  });

  /** Sends stories all at once, and gives what each was answered, and how long someone else waited meanwhile. */
  async function attack(): Promise<{ readonly answers: readonly string[]; readonly longest: number }> {
    const xml = `<story><name>Held</name><description>${'x'.repeat(LENGTH)}</description></story>`;
    const head = rawHead(
      'POST /services/v3/projects/1/stories HTTP/1.1',
      'Host: localhost',
      `X-ServiceToken: ${service.token}`,
      'Content-Type: application/xml',
      'Transfer-Encoding: chunked',
      'Connection: close',
    );
    const bytes = Buffer.from(`${head}${xml.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`);
    const all: HeldGreeting[] = [];
    for (let opened = 0; opened < MANY; opened += 1) all.push(await HeldGreeting.open(service.url, bytes));
    await wait(QUIET_MS);
    const since = now();
    for (const held of all) held.release();
    const answers = await Promise.all(all.map(({ answer }) => answer));
    await wait(QUIET_MS);
    const waits = watch.between(since, now());
    assert.ok(waits.length > 0 && waits.every(({ status }) => status === 200));
    return { answers, longest: Math.max(...waits.map(({ judged }) => judged)) };
  }

  it('keep nobody waiting, and all that each sent arrives', async () => {
    let least = Number.POSITIVE_INFINITY;
    for (let times = 0; times < TRIES && least > LONGEST_WAIT; times += 1) {
      const { answers, longest } = await attack();
      for (const answer of answers) {
        assert.match(answer, /^HTTP\/1\.1 200/);
        assert.equal(/<description>(x*)<\/description>/.exec(answer)?.[1]?.length, LENGTH);
      }
      least = Math.min(least, longest);
    }
    assert.ok(least <= LONGEST_WAIT, `${least} ms`);
  });
});

function now(): number {
  return performance.timeOrigin + performance.now();
}
