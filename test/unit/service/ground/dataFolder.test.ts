import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDataFolder } from '../../../../src/service/ground/dataFolder.ts';

describe('the data folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'data-folder-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is made with all above it, for its owner only, by several at once too, and left as it is where it is there', async () => {
    const deep = join(folder, 'made', 'deep');
    assert.deepEqual(await Promise.all([prepareDataFolder(deep), prepareDataFolder(deep)]), [deep, deep]);
    for (const path of [deep, join(folder, 'made')]) assert.equal((await stat(path)).mode & 0o777, 0o700);
    await chmod(deep, 0o750);
    await prepareDataFolder(deep);
    assert.equal((await stat(deep)).mode & 0o777, 0o750);
  });

  // Only there does the system say that a folder is missing which is not.
  (process.platform === 'linux' ? it : it.skip)('is refused at once where none can be made', async () => {
    await assert.rejects(prepareDataFolder('/proc/none/data'), { code: 'ENOENT', path: '/proc/none' });
  });
});
