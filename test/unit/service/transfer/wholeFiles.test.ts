import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

describe('A file or folder that is made under a name it does not keep', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-partial-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is gone after a signal, also where steps were making it once more', async () => {
    const wholeFiles = new URL('../../../../src/service/transfer/wholeFiles.ts', import.meta.url);
    const program = `
      import { mkdir } from 'node:fs/promises';
      import { whilePartial } from '${wholeFiles}';
      const partial = process.argv[1];
      await whilePartial(partial, async () => {
        const steps = Array.from({ length: 2000 }, (_, step) => mkdir(\`\${partial}/\${step}/\${step}\`, { recursive: true }));
        setTimeout(() => process.kill(process.pid, 'SIGTERM'), 10);
        await Promise.all(steps);
      });`;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', program, join(folder, 'copy.part')]);
    const [code] = await once(child, 'exit');
    assert.equal(code, 143);
    assert.deepEqual(await readdir(folder), []);
  });
});
