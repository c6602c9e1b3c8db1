import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sweepMadeFiles, writeNewFile } from '../../../../src/client/files/newFile.ts';

const NOW = Date.now();
const HOUR = 3_600_000;

/** Milliseconds in which what is still under way comes to its end. */
const LATE_MS = 100;
/** After which a file that is made too late was seen, as good as always. */
const ROUNDS = 60;

describe('A file that is written', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'written-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('leaves nothing behind where its pieces fail or are given up at once', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a');
      throw new Error('Cut off.');
    }
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = await Promise.allSettled(
        Array.from({ length: 50 }, (_, index) => {
          const given = index % 2 === 0 ? {} : { signal: AbortSignal.abort() };
          return writeNewFile(join(folder, String(index)), failing(), given);
        }),
      );
      assert.ok(all.every(({ status }) => status === 'rejected'));
    }
    await wait(LATE_MS);
    assert.deepEqual(await readdir(folder), []);
  });
});

describe('What was made to be sent and was left behind', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sweep-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function made(name: string, hours: number, ...files: readonly string[]): Promise<string> {
    const path = join(folder, name);
    await mkdir(path);
    for (const file of files) await writeFile(join(path, file), 'left');
    const then = new Date(NOW - hours * HOUR);
    await utimes(path, then, then);
    return path;
  }

  const swept = async () => {
    await sweepMadeFiles(folder);
    return (await readdir(folder)).sort();
  };

  it('goes when it is a day old', async () => {
    await made('story-tracker-made-old', 25, 'archive.zip');
    await made('story-tracker-made-patch', 300, 'changes.patch');
    await made('story-tracker-made-empty', 25);
    await made('story-tracker-made-new', 23, 'archive.zip');
    assert.deepEqual(await swept(), ['story-tracker-made-new']);
  });

  it('is nothing that looks otherwise than we make it', async () => {
    await made('story-tracker-service-x', 300, 'archive.zip');
    const mine = await made('story-tracker-made-mine', 300, 'archive.zip', 'notes.txt');
    const deep = await made('story-tracker-made-deep', 300);
    await mkdir(join(deep, 'changes.patch'));
    await utimes(deep, new Date(0), new Date(0));
    await writeFile(join(folder, 'story-tracker-made-file'), '');
    assert.equal((await swept()).length, 4);
    assert.deepEqual((await readdir(mine)).sort(), ['archive.zip', 'notes.txt']);
  });

  it('is never reached through a link', async () => {
    const elsewhere = await made('elsewhere', 300, 'archive.zip');
    await symlink(elsewhere, join(folder, 'story-tracker-made-link'));
    const linked = await made('story-tracker-made-linked', 300);
    await symlink(join(elsewhere, 'archive.zip'), join(linked, 'archive.zip'));
    await utimes(linked, new Date(0), new Date(0));
    assert.deepEqual(await swept(), ['elsewhere', 'story-tracker-made-link', 'story-tracker-made-linked']);
    assert.deepEqual([await readdir(elsewhere), await readdir(linked)], [['archive.zip'], ['archive.zip']]);
  });

  it('may be gone in the middle, since other windows sweep, too', async () => {
    await made('story-tracker-made-a', 48, 'archive.zip');
    await made('story-tracker-made-b', 48, 'changes.patch');
    await Promise.all([sweepMadeFiles(folder), sweepMadeFiles(folder)]);
    assert.deepEqual(await readdir(folder), []);
  });
});
