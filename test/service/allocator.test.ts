import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { temporaryFolder } from './support/testService.ts';

describe('The allocator of a service', () => {
  let service: ServiceProcess | undefined;

  before(function () {
    if (process.platform !== 'linux') {
      process.stdout.write('    Left out: only the C library of Linux is told.\n');
      this.skip();
    }
  });
  afterEach(() => service?.end('SIGKILL'));

  /** What the kernel says that a process was begun with. */
  const told = ({ child }: ServiceProcess) => {
    const all = readFileSync(`/proc/${child.pid}/environ`, 'utf8').split('\0');
    return all.filter((one) => one.startsWith('MALLOC_')).toSorted();
  };
  const serve = async (args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    service = await serveProcess(['--data', await temporaryFolder(), ...args], undefined, env);
    return service;
  };

  it('returns memory to the system, with what an operator has set', async () => {
    const running = await serve([], { MALLOC_ARENA_MAX: '4' });
    assert.deepEqual(told(running), [
      'MALLOC_ARENA_MAX=4',
      'MALLOC_MMAP_THRESHOLD_=262144',
      'MALLOC_TRIM_THRESHOLD_=1048576',
    ]);
    assert.equal((await fetch(`${running.url}/healthz`)).status, 200);
    assert.equal(await running.end('SIGTERM'), 0);
  });

  it('is left alone where the service is one of the editor', async () => {
    assert.deepEqual(told(await serve(['--embedded'])), []);
  });
});
