import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '../../../../src/core/log.ts';
import { ServiceProcess } from '../../../../src/features/localService/serviceProcess.ts';
import { eventually } from '../../../support/eventually.ts';

const listening = (more = '') => `process.stdout.write(JSON.stringify({ event: 'listening',
  url: 'http://127.0.0.1:1/', token: ${more || "'t0ken'"} }) + '\\n');`;

describe('ServiceProcess', () => {
  const started: ServiceProcess[] = [];
  const lines: string[] = [];
  const write = (line: string | Error) => void lines.push(String(line));
  const log: Log = { debug: write, info: write, warn: write, error: write };
  let folder = '';

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-process-'));
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((service) => service.stop()));
    lines.length = 0;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function run(program: string): Promise<ServiceProcess> {
    const script = join(folder, 'program.cjs');
    await writeFile(script, program);
    const service = new ServiceProcess(script, [], log);
    started.push(service);
    return service;
  }

  it('tells where the service listens and its token, which is not logged', async () => {
    const service = await run(`${listening()} process.stdin.resume();`);
    assert.deepEqual(await service.access, { baseUrl: 'http://127.0.0.1:1', token: 't0ken' });
    assert.ok(!lines.join().includes('t0ken'));
  });

  it('rejects with the last words of a service that does not start', async () => {
    const service = await run(`process.stderr.write('The folder is read-only.\\n', () => process.exit(3));`);
    await assert.rejects(service.access, /ended with code 3. The folder is read-only\./);
    assert.equal(service.alive, false);
  });

  it('rejects a first line that says something else, without repeating it', async () => {
    const service = await run(`process.stdout.write('{"token":"s3cret"}\\n'); process.stdin.resume();`);
    await assert.rejects(service.access, (error) => error instanceof Error && !error.message.includes('s3cret'));
    await eventually(() => assert.equal(service.alive, false));
  });

  it('knows when the service was killed', async () => {
    const service = await run(`${listening('String(process.pid)')} process.stdin.resume();`);
    process.kill(Number((await service.access).token), 'SIGKILL');
    await eventually(() => assert.equal(service.alive, false));
    assert.ok(lines.includes('built-in service: ended with SIGKILL'));
  });

  it('lets the service finish what is under way when it is stopped', async () => {
    const service = await run(`process.on('SIGTERM', () => setTimeout(() => process.exit(0), 100));
      process.stdin.resume(); ${listening()}`);
    await service.access;
    await service.stop();
    assert.equal(service.alive, false);
    assert.ok(lines.includes('built-in service: ended with code 0'));
  });

  it('passes on no secrets of the environment', async () => {
    process.env.STORY_TRACKER_TEST_TOKEN = 'canary';
    try {
      const service = await run(`${listening('JSON.stringify(process.env)')} process.stdin.resume();`);
      const { token } = await service.access;
      assert.ok(token.includes('"PATH"') && !token.includes('canary'));
    } finally {
      delete process.env.STORY_TRACKER_TEST_TOKEN;
    }
  });
});
