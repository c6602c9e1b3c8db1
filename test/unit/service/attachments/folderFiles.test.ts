import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOver, newStoredName } from '../../../../src/service/attachments/attachmentFiles.ts';
import { FolderFiles } from '../../../../src/service/attachments/folderFiles.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

describe('the folder of attached files', () => {
  let folder: string;
  let files: FolderFiles;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'attachments-'));
    files = await FolderFiles.open(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function addFile(age: number, place = '.', name = newStoredName()): Promise<string> {
    const path = join(folder, place, name);
    await writeFile(path, name);
    await utimes(path, (Date.now() - age) / 1000, (Date.now() - age) / 1000);
    return name;
  }

  async function allNames(): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const batch of files.batches()) names.push(...batch.map(({ name }) => name));
    return names.sort();
  }

  it('gives paths to no name but its own', async () => {
    const name = newStoredName();
    assert.equal(files.path(name), join(folder, name));
    const others = ['', '.', '..', '../x', `../${name}`, `${name}/..`, `${name}\0`, `${name}\n`, `A${name.slice(1)}`];
    for (const wrong of others) assert.throws(() => files.path(wrong), /Not the name/, wrong);
  });

  it('has a file in its place when it is finished, and not before', async () => {
    const name = newStoredName();
    const sink = await files.create(name);
    await sink.write(Buffer.from('whole'));
    assert.deepEqual([await allNames(), await readdir(join(folder, 'incoming'))], [[], [name]]);
    await files.keep(name, sink);
    assert.deepEqual([await allNames(), await readdir(join(folder, 'incoming'))], [[name], []]);
    assert.equal(await readFile(files.path(name), 'utf8'), 'whole');
    await files.requireKept({ storedAs: name, size: 5 });
    await assert.rejects(files.requireKept({ storedAs: name, size: 6 }), /was lost before it was attached/);
  });

  it('keeps no file that went missing on the way', async () => {
    const name = newStoredName();
    const sink = await files.create(name);
    await rm(join(folder, 'incoming', name));
    await assert.rejects(files.keep(name, sink), /was lost before it was attached/);
    await assert.rejects(files.requireKept({ storedAs: name, size: 0 }), /was lost before it was attached/);
    await sink.abandon();
    await files.abandon(name);
  });

  it('is asked for in parts, since a query does not take all there may be, and for no files but its own', async () => {
    const names = new Set<string>();
    while (names.size < 1_203) names.add(await addFile(48 * HOUR));
    await addFile(48 * HOUR, '.', 'README');
    const sizes: number[] = [];
    for await (const batch of files.batches()) sizes.push(batch.length);
    assert.deepEqual(sizes, [500, 500, 203]);
    assert.deepEqual(await allNames(), [...names].sort());
  });

  it('loses what cut uploads left once it is older than asked for', async () => {
    const [young, placed] = [await addFile(23 * HOUR, 'incoming'), await addFile(25 * HOUR)];
    const old = await addFile(25 * HOUR, 'incoming');
    await addFile(25 * HOUR, 'incoming', 'README');
    assert.deepEqual(await files.sweepIncoming((await files.now()) - DAY), { files: 1, bytes: old.length });
    assert.deepEqual((await readdir(join(folder, 'incoming'))).sort(), [young, 'README'].sort());
    assert.deepEqual(await allNames(), [placed]);
  });

  it('tells the time by its disk, whatever the clock of the process says', async () => {
    const before = Date.now();
    const clock = Date.now;
    Date.now = () => before + 30 * DAY;
    const now = await files.now().finally(() => {
      Date.now = clock;
    });
    assert.ok(Math.abs(now - before) < HOUR);
    assert.deepEqual(await readdir(join(folder, 'incoming')), []);
  });

  it('puts what is swept under the day on which it was, and gives it back when it is read', async () => {
    const name = await addFile(48 * HOUR);
    const now = Date.UTC(2031, 4, 6, 23, 59);
    assert.equal(await files.trash.put(name, now), true);
    assert.equal(await files.trash.put(name, now), false, 'another process was quicker');
    assert.deepEqual(await readdir(join(folder, 'trash', '2031-05-06')), [name]);
    const stream = await files.read(name, name.length);
    assert.equal(Buffer.concat((await stream?.toArray()) ?? []).toString(), name);
    assert.deepEqual([await allNames(), await readdir(join(folder, 'trash', '2031-05-06'))], [[name], []]);
    assert.equal(await files.read(newStoredName(), 1), undefined);
  });

  it('lets go of what was swept a month ago, counted from the end of that day', async () => {
    const file = { name: newStoredName(), day: '2031-05-06', bytes: 1 };
    assert.equal(isOver(file, Date.UTC(2031, 5, 6, 23)), false);
    assert.equal(isOver(file, Date.UTC(2031, 5, 7, 1)), true);
    await mkdir(join(folder, 'trash', 'notes'), { recursive: true });
    await writeFile(join(folder, 'trash', 'notes', file.name), '');
    for await (const batch of files.trash.batches()) assert.fail(`Nothing of ours is there, but ${batch.length}.`);
  });

  it('is made at the start and never again, since one that is gone may be a disk that comes back', async () => {
    await rm(folder, { recursive: true });
    const name = newStoredName();
    for (const work of [() => files.create(name), () => files.read(name, 1), () => files.requireUsable()]) {
      await assert.rejects(work, { name: 'StoreUnavailable', message: /not available right now/ });
    }
    await assert.rejects(readdir(folder));
  });
});
