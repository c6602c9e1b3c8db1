import assert from 'node:assert/strict';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../../../scripts/vscode/temporaryFolder.ts';
import { DraftFiles } from '../../../../src/host/story/draftFiles.ts';
import { silentLog } from '../../../support/silentLog.ts';

describe('Drafts in files', () => {
  let folder: string;
  let remove: () => Promise<void>;
  let at = 0;
  const window = () => new DraftFiles(folder, silentLog, () => ++at);

  beforeEach(() => {
    const made = temporaryFolder('drafts');
    folder = join(made.path, 'drafts');
    remove = async () => made.remove();
  });
  afterEach(() => remove());

  it('are there for the next window, and gone once they are forgotten', async () => {
    const first = window();
    await first.update('a', { text: 'Half' });
    const second = window();
    assert.deepEqual([second.keys(), second.get('a'), second.others('a')], [['a'], { text: 'Half' }, []]);
    await second.update('a', undefined);
    assert.deepEqual([second.keys(), await readdir(folder)], [[], []]);
  });

  it('of one story are not overwritten by those that another window writes of another', async () => {
    const [first, second] = [window(), window()];
    await first.update('a', 'Of a');
    await second.update('b', 'Of b');
    await first.update('a', 'More of a');
    const later = window();
    assert.deepEqual([later.get('a'), later.get('b')], ['More of a', 'Of b']);
  });

  it('of the same story are both kept, the newer before the older', async () => {
    const [first, second] = [window(), window()];
    await first.update('a', 'Older');
    await second.update('a', 'Newer');
    assert.deepEqual([first.get('a'), second.get('a')], ['Older', 'Newer']);
    const later = window();
    assert.deepEqual([later.get('a'), later.others('a')], ['Newer', ['Older']]);
    await later.update('a', undefined);
    assert.equal(window().get('a'), 'Older');
  });

  it('are taken over by whoever goes on with them, or has the same text', async () => {
    const [first, second] = [window(), window()];
    await first.update('a', 'One');
    await second.update('a', 'Two');
    const third = window();
    await third.update('a', 'Two and more');
    assert.deepEqual(third.others('a'), ['One']);
    await third.update('a', 'One');
    assert.deepEqual([third.others('a'), window().others('a')], [[], []]);
    assert.equal(first.get('a'), 'One');
  });

  it('are found that another window has kept since', async () => {
    const [first, second] = [window(), window()];
    await first.update('a', 'Half');
    assert.equal(second.get('a'), undefined);
    second.refresh();
    assert.equal(second.get('a'), 'Half');
  });

  it('are as they were last, however fast they change', async () => {
    const first = window();
    await Promise.all(['H', 'Ha', undefined, 'Hal', 'Half'].map((text) => first.update('a', text)));
    assert.equal(window().get('a'), 'Half');
    assert.equal((await readdir(folder)).length, 1);
  });

  it('can be read by their owner alone', async function () {
    if (process.platform === 'win32') return this.skip();
    await window().update('a', 'Half');
    const [file = ''] = await readdir(folder);
    assert.equal((await stat(join(folder, file))).mode & 0o777, 0o600);
  });

  it('are none where files are of something else or cut short', async () => {
    await mkdir(folder, { recursive: true });
    for (const [index, text] of ['', '{"name":"a"', 'null', '[]', '{"name":1,"at":1,"value":1}'].entries()) {
      await writeFile(join(folder, `${index}.json`), text);
    }
    assert.deepEqual(window().keys(), []);
  });
});
