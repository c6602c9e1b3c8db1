import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AttachmentFiles } from '../../../../src/service/attachments/attachmentFiles.ts';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2031, 4, 6);

describe('the folder of attached files', () => {
  it('gives paths to no name but its own', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'attachments-'));
    const files = await AttachmentFiles.open(folder);
    const name = files.newName();
    assert.equal(files.path(name), join(folder, name));
    for (const wrong of [
      '',
      '.',
      '..',
      '../x',
      `../${name}`,
      `${name}/..`,
      `${name}\0`,
      `${name}\n`,
      name.toUpperCase(),
    ]) {
      if (wrong !== name) assert.throws(() => files.path(wrong), /Not the name/, wrong);
    }
    await rm(folder, { recursive: true });
  });
});

describe('sweeping the folder of attached files', () => {
  let folder: string;
  let files: AttachmentFiles;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attachments-'));
    files = await AttachmentFiles.open(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function addFile(age: number, name = files.newName()): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, '');
    await utimes(path, (NOW - age) / 1000, (NOW - age) / 1000);
    return name;
  }

  it('removes what no attachment names once it is older than a day', async () => {
    const [named, young] = [await addFile(48 * HOUR), await addFile(23 * HOUR)];
    await addFile(25 * HOUR);
    assert.equal(await files.sweep(async () => new Set([named]), NOW), 1);
    assert.deepEqual((await readdir(folder)).sort(), [named, young].sort());
  });

  it('leaves files alone that are not its own', async () => {
    await addFile(48 * HOUR, 'README');
    assert.equal(await files.sweep(async () => new Set(), NOW), 0);
  });

  it('asks about few at a time, since a query does not take all there may be', async () => {
    const names = new Set<string>();
    while (names.size < 1_203) names.add(await addFile(48 * HOUR));
    const asked: (readonly string[])[] = [];
    const known = async (some: readonly string[]): Promise<ReadonlySet<string>> => {
      asked.push([...some]);
      return new Set(some.filter((name) => name < '8'));
    };
    const removed = await files.sweep(known, NOW);
    assert.ok(asked.every(({ length }) => length <= 500));
    assert.deepEqual(new Set(asked.flat()), names);
    assert.deepEqual((await readdir(folder)).sort(), [...names].filter((name) => name < '8').sort());
    assert.equal(removed, names.size - (await readdir(folder)).length);
  });
});
