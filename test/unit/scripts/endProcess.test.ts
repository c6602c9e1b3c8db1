import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

const module = new URL('../../../scripts/vscode/endProcess.ts', import.meta.url).href;

/** Starts a child that never ends, says its number, and takes its time when it is to end itself, which it says too. */
const program = `
  import { spawn } from 'node:child_process';
  import { writeSync } from 'node:fs';
  import { endWithUs, exitOnSignals } from '${module}';

  process.once('exit', () => {
    writeSync(1, 'ending');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  });
  exitOnSignals();
  const forever = ['-e', 'setInterval(() => undefined, 60_000)'];
  const child = spawn(process.execPath, forever, { stdio: ['ignore', 'inherit', 'inherit'], detached: true });
  endWithUs(child);
  writeSync(1, String(child.pid));
`;

describe('a program that is to end', function () {
  if (process.platform === 'win32') return;
  let parent: ChildProcess | undefined;
  let child = 0;
  this.timeout(20_000);

  afterEach(() => {
    parent?.kill('SIGKILL');
    try {
      process.kill(child, 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    it(`takes its children with it, also when ${signal} comes twice`, async () => {
      const started = spawn(process.execPath, ['--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      parent = started;
      const [pid] = await once(started.stdout, 'data');
      child = Number(pid);
      started.kill(signal);
      await once(started.stdout, 'data');
      started.kill(signal);
      // Both write to this pipe, which closes when both are gone.
      const [code] = await once(started, 'close');
      assert.equal(code, 130);
    });
});
