import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { PrivateAuthority } from '../support/servers/privateAuthority.ts';
import { HeldGreeting } from './support/heldGreeting.ts';
import { canWatch, ServiceWatch } from './support/hostile/serviceWatch.ts';
import { rawHead } from './support/raw.ts';
import { type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { temporaryFolder } from './support/testService.ts';

const MANY = 100;
/** Characters of which each is a piece: as many as are read at once. */
const LENGTH = 10_000;
/** Milliseconds that someone else may wait. */
const LONGEST_WAIT = 250;

describe('many callers who end their greeting of TLS at once, together with a body in pieces of a byte', () => {
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

  it('are all answered, and every byte of theirs arrives, while others hardly wait', async () => {
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
    const watch = new ServiceWatch(`${service.url}/services/v3/projects/1`, service.token, service.child.pid ?? 0);
    await eventually(() => assert.ok(watch.waits.length > 0));
    const answered = watch.waits.length;
    for (const held of all) held.release();
    const answers = await Promise.all(all.map((held) => held.answer));
    await eventually(() => assert.ok(watch.waits.length > answered + 1));
    await watch.stop();
    for (const { status, judged } of watch.waits) {
      assert.equal(status, 200);
      if (canWatch) assert.ok(judged <= LONGEST_WAIT, `${judged} ms`);
    }
    for (const answer of answers) {
      assert.match(answer, /^HTTP\/1\.1 200/);
      assert.equal(/<description>(x*)<\/description>/.exec(answer)?.[1]?.length, LENGTH);
    }
  }).timeout(120_000);
});
