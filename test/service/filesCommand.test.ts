import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES, OldData } from './support/oldData.ts';
import { runService } from './support/serviceProcess.ts';
import { ageFiles, storedFiles, sweptFiles } from './support/storedFiles.ts';
import { copyOfDatabase } from './support/testDatabase.ts';

describe('the command files', () => {
  let data: OldData;
  let names: readonly string[];
  const place = (name = '') => join(data.folder, 'attachments', name);

  beforeEach(async () => {
    data = await OldData.make();
    names = await storedFiles(data.folder);
  });
  afterEach(() => data.remove());

  const run = (...args: readonly string[]) => runService(['files', ...args, '--data', data.folder]);

  async function check(...args: readonly string[]) {
    const { code, stdout, stderr } = await run('check', '--json', ...args);
    const report = JSON.parse(stdout);
    assert.equal(code, report.missing.length + report.cut.length > 0 ? 1 : 0, stderr);
    return JSON.parse(stdout);
  }

  it('check finds nothing where all is well', async () => {
    const { stdout } = await run('check');
    assert.equal(
      stdout,
      `${place()} belongs to this database.\nAttachments: 6. Missing: 0. Truncated or altered: 0.\n`,
    );
    const report = await check();
    assert.deepEqual([report.isPaired, report.named], [true, FILES]);
    assert.deepEqual([report.missing, report.cut, report.leftOver, report.trash], [[], [], [], []]);
  });

  it('check tells what is missing, cut, left over and in the trash, and takes back what is named', async () => {
    const [missing = '', cut = '', swept = ''] = names;
    const day = join('trash', '2031-05-06');
    await mkdir(place(day), { recursive: true });
    await rm(place(missing));
    await writeFile(place(cut), 'File');
    await rename(place(swept), place(join(day, swept)));
    await writeFile(place(join(day, '1'.repeat(32))), 'old');
    await writeFile(place('f'.repeat(32)), 'left');
    const report = await check();
    assert.deepEqual(
      report.missing.map(({ storedAs }: { readonly storedAs: string }) => storedAs).sort(),
      [missing, swept].sort(),
    );
    const [{ attachment, filename, ...where }] = report.missing;
    assert.deepEqual([where.project, where.story, where.storyName], [1, 1, 'With files']);
    assert.match(filename, /^File \d\.txt$/);
    assert.ok(attachment > 0);
    assert.deepEqual(
      [report.cut.length, report.cut[0].storedAs, report.cut[0].found, report.cut[0].size],
      [1, cut, 4, 6],
    );
    assert.deepEqual(
      [report.leftOver.length, report.leftOver[0].name, report.leftOver[0].bytes],
      [1, 'f'.repeat(32), 4],
    );
    const inTrash = report.trash.map(({ name, day: on, bytes, isNamed }: Record<string, unknown>) => [
      name,
      on,
      bytes,
      isNamed,
    ]);
    assert.deepEqual(inTrash, [
      [swept, '2031-05-06', 6, true],
      ['1'.repeat(32), '2031-05-06', 3, false],
    ]);
    const { code, stdout, stderr } = await run('check');
    assert.deepEqual([code, stderr], [1, '']);
    assert.match(stdout, /^Attachments: 6\. Missing: 2\. Truncated or altered: 1\.$/m);
    assert.match(stdout, /^project 1\t.+\tstory 1\tWith files\tattachment \d\tFile \d\.txt\tmissing$/m);
    assert.match(stdout, /\t4 bytes instead of 6$/m);
    assert.match(stdout, /^Files without an attachment: 1 file of 4 bytes\.$/m);
    assert.match(
      stdout,
      /^In the trash: 2 files of 9 bytes\.\nAttachments use 1 of them again\. Restore with --restore\.$/m,
    );
    assert.deepEqual(await sweptFiles(data.folder), ['1'.repeat(32), swept].sort(), 'so far nothing was changed');
    const restored = await check('--restore');
    assert.deepEqual(
      [restored.restored, restored.missing.length, restored.trash.length],
      [{ files: 1, bytes: 6 }, 1, 1],
    );
    assert.ok((await storedFiles(data.folder)).includes(swept));
  });

  it('pair refuses a database that names few of the files, unless told to', async () => {
    await data.replaceDatabase();
    assert.match((await run('pair')).stderr, /Could not find data in/);
    await data.startOnce();
    const refused = await run('pair');
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /lists 0 of the 6 attached files in .*--database or --data, or add --anyway/);
    assert.equal((await check()).why, 'other');
    const paired = await run('pair', '--anyway', '--json');
    assert.equal(paired.code, 0, paired.stderr);
    assert.deepEqual(JSON.parse(paired.stdout), { folder: place(), files: 6, named: 0 });
    await data.stop(await data.start());
    assert.deepEqual(await sweptFiles(data.folder), names);
    await data.putDatabaseBack();
    assert.match((await run('pair', '--anyway')).stdout, /They are now paired/);
    const service = await data.start();
    await data.assertWhole(service);
    await data.stop(service);
    assert.deepEqual(await storedFiles(data.folder), names);
  });

  it('pair takes a database as it is that was set back on purpose', async () => {
    const restore = await copyOfDatabase(data.folder);
    const service = await data.start();
    await data.attach(service, 'Later');
    await data.stop(service);
    await restore();
    assert.equal((await check()).why, 'older');
    assert.match((await run('pair')).stdout, /lists 6 of the 7 attached files .* They are now paired\.\n$/);
    await ageFiles(data.folder, 2);
    assert.deepEqual(await data.startOnce(), []);
    assert.deepEqual(await storedFiles(data.folder), names);
    assert.equal((await sweptFiles(data.folder)).length, 1);
  });
});
