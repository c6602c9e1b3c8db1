import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { FILES, OldData } from './support/oldData.ts';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, assertStatus, textOf, texts } from './support/request.ts';
import { end, startCommand } from './support/serviceProcess.ts';
import { ageFiles, storedFiles, sweptFiles } from './support/storedFiles.ts';
import { copyOfDatabase, runOnDatabase } from './support/testDatabase.ts';
import type { TestUser } from './support/testService.ts';

const UNNAMED = 'f'.repeat(32);

describe('a folder of attached files and its database', () => {
  let data: OldData;

  beforeEach(async () => {
    data = await OldData.make();
  });
  afterEach(() => data.remove());

  const addUnnamed = () => writeFile(join(data.folder, 'attachments', UNNAMED), 'left behind');

  /** Nothing is swept, the start says why, and the service serves; with the right database all is as it was. */
  async function assertLeftAlone(why: RegExp, isOther = false): Promise<void> {
    const files = await storedFiles(data.folder);
    assert.ok(files.length >= FILES);
    const warnings = await data.startOnce();
    assert.deepEqual(await storedFiles(data.folder), files);
    assert.deepEqual(await sweptFiles(data.folder), []);
    assert.equal(warnings.length, 1, warnings.join('\n'));
    assert.match(warnings[0] ?? '', why);
    assert.match(
      warnings[0] ?? '',
      /The attached files in .*attachments (?:may )?(?:belong to|are newer than) .*\. None is deleted\. .* run: service files pair --data /,
    );
    assert.deepEqual(data.told('warning')?.about, 'files');
    const service = await data.start();
    const bo = await service.user(`Bo ${files.length}`);
    const projectId = await newProject(bo);
    const story = `/projects/${projectId}/stories/${await newStory(bo, projectId, 'New')}`;
    if (isOther) await assertTakesNone(bo, story);
    else await data.attach(service, 'More', bo, story);
    await data.stop(service);
    assert.equal((await storedFiles(data.folder)).length, files.length + (isOther ? 0 : 1));
  }

  /** To its own database each file that another one names is left over. */
  async function assertTakesNone(bo: TestUser, story: string): Promise<void> {
    const form = new FormData();
    form.set('Filedata', new Blob(['More']), 'More.txt');
    const answer = await bo.post(`${story}/attachments`, form);
    assertRefused(answer, 503, /folder of attached files belongs to another database.* Nothing was changed\./);
    assert.deepEqual(texts(await bo.get(story), 'filename'), []);
    assert.deepEqual(await readdir(join(data.folder, 'attachments', 'incoming')), []);
    assert.match(String(data.told('error')?.message), /run: service files pair --data /);
  }

  it('belong together by an id that both hold: what no attachment names is swept, and told of', async () => {
    const { database, version } = await data.mark();
    assert.match(database, /^[0-9a-f-]{36}$/);
    assert.ok(version > FILES);
    assert.equal((await stat(data.markFile)).mode & 0o777, 0o600);
    const files = await storedFiles(data.folder);
    await addUnnamed();
    await ageFiles(data.folder, 2);
    assert.deepEqual(await data.startOnce(), []);
    assert.deepEqual([await storedFiles(data.folder), await sweptFiles(data.folder)], [files, [UNNAMED]]);
    const { event: _, ...swept } = data.told('filesSwept') ?? { event: '' };
    const today = new Date().toISOString().slice(0, 10);
    assert.deepEqual(swept, { files: 1, bytes: 11, in: join(data.folder, 'attachments', 'trash', today) });
    const service = await data.start();
    await data.assertWhole(service);
    await data.stop(service);
  });

  it('are not mistaken for each other where the database is missing, and a new one takes its place', async () => {
    await data.replaceDatabase();
    await assertLeftAlone(/attachments belong to another database\./, true);
    await data.putDatabaseBack();
    const service = await data.start();
    await data.assertWhole(service);
    await data.stop(service);
    assert.deepEqual(data.warnings, []);
  });

  it('are not mistaken where the database is an older copy, also once it has come further than it was', async () => {
    const restore = await copyOfDatabase(data.folder);
    const service = await data.start();
    for (let count = 0; count < 3; count += 1) await data.attach(service, `Later ${count}`);
    await data.stop(service);
    const { version } = await data.mark();
    await restore();
    await assertLeftAlone(/are newer than the database: it was set back/);
    assert.equal((await data.mark()).version, version);
    const further = await data.start();
    for (let count = 0; count < 6; count += 1) await data.attach(further, `Further ${count}`);
    const newest = textOf(await data.ada(further).get('/activities?limit=1'), 'version');
    assert.ok(Number(newest) > version);
    await data.stop(further);
    await assertLeftAlone(/are newer than the database: it was set back/);
    assert.equal((await data.mark()).version, version);
  });

  it('are not mistaken where the database was emptied', async () => {
    for (const table of ['projects', 'counters']) await runOnDatabase(data.folder, `delete from ${table}`);
    await assertLeftAlone(/are newer than the database: it was set back/);
  });

  it('are not mistaken where the folder does not say whose it is: it is from before, or it was damaged', async () => {
    await writeFile(data.markFile, '');
    await assertLeftAlone(/database\.json cannot be read/);
    await rm(data.markFile);
    await data.replaceDatabase();
    await assertLeftAlone(/this one names 0 of the \d+ files there/);
  });

  it('are paired quietly where the folder is from before and the database names what is there', async () => {
    const mark = await data.mark();
    await rm(data.markFile);
    await addUnnamed();
    await ageFiles(data.folder, 2);
    assert.deepEqual(await data.startOnce(), []);
    assert.equal((await data.mark()).database, mark.database);
    assert.equal((await storedFiles(data.folder)).length, FILES);
    assert.deepEqual(await sweptFiles(data.folder), [UNNAMED]);
  });

  it('are paired quietly where there is no file to lose, and by several processes at once', async () => {
    for (const name of await storedFiles(data.folder)) await rm(join(data.folder, 'attachments', name));
    await data.replaceDatabase();
    const services = await Promise.all([data.start(), data.start(), data.start()]);
    for (const service of services) await data.stop(service);
    assert.deepEqual(data.warnings, []);
    await addUnnamed();
    await ageFiles(data.folder, 2);
    assert.deepEqual(await data.startOnce(), []);
    assert.deepEqual(await sweptFiles(data.folder), [UNNAMED]);
  });

  it('are kept an eye on: each upload notes how far the database has come', async () => {
    const service = await data.start();
    await data.attach(service, 'Next');
    const newest = Number(textOf(await data.ada(service).get('/activities?limit=1'), 'version'));
    await eventually(async () => assert.equal((await data.mark()).version, newest));
    await data.stop(service);
    assert.deepEqual(await readdir(join(data.folder, 'attachments', 'incoming')), []);
  });

  it('that hold nothing of each other are told of, since the folder or its disk may be the wrong one', async () => {
    await rm(join(data.folder, 'attachments'), { recursive: true });
    const warnings = await data.startOnce();
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /None of the 6 attached files in the database are in .*--data/);
  });

  it('are told of where some files are missing', async () => {
    const [gone = '', swept = ''] = await storedFiles(data.folder);
    await rm(join(data.folder, 'attachments', gone));
    await rm(join(data.folder, 'attachments', swept));
    const [warning, ...others] = await data.startOnce();
    assert.match(
      warning ?? '',
      /^2 of 6 attached files are missing in .*attachments\. Run: service files check --data /,
    );
    assert.deepEqual(others, []);
  });

  it('are told of in a sentence where people read', async () => {
    await data.replaceDatabase();
    const child = await startCommand(['serve', '--data', data.folder]);
    let text = '';
    child.stdout.resume();
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    await eventually(() =>
      assert.match(
        text,
        /^Warning: The attached files in .* belong to another database\. None is deleted\. .*files pair --data \S+ \(with --database, .*\)\n$/m,
      ),
    );
    assert.equal(await end(child, 'SIGTERM'), 0);
    assert.equal((await storedFiles(data.folder)).length, FILES);
  });

  describe('and the trash', () => {
    const trash = (day: number) =>
      join(data.folder, 'attachments', 'trash', new Date(Date.now() - day * 86_400_000).toISOString().slice(0, 10));

    async function addSwept(day: number, name: string): Promise<string> {
      await mkdir(trash(day), { recursive: true });
      const file = join(trash(day), name);
      await writeFile(file, 'swept');
      await utimes(file, 0, 0);
      return name;
    }

    it('lose for good what was swept more than a month ago, and nothing sooner', async () => {
      const young = await addSwept(31, '1'.repeat(32));
      await addSwept(33, '2'.repeat(32));
      assert.deepEqual(await data.startOnce(), []);
      assert.deepEqual(await sweptFiles(data.folder), [young]);
      assert.deepEqual(await readdir(join(data.folder, 'attachments', 'trash')), [trash(31).slice(-10)]);
      assert.equal(data.told('filesRemoved')?.files, 1);
    });

    it('lose nothing while the database is another', async () => {
      const old = await addSwept(400, '1'.repeat(32));
      await data.replaceDatabase();
      await data.startOnce();
      assert.deepEqual(await sweptFiles(data.folder), [old]);
    });

    it('take the files of a deleted story, which an older copy of the database finds there', async () => {
      const files = await storedFiles(data.folder);
      const restore = await copyOfDatabase(data.folder);
      const service = await data.start();
      assertStatus(await data.ada(service).delete('/projects/1/stories/1'), 200);
      await eventually(async () => assert.deepEqual(await sweptFiles(data.folder), files));
      await data.stop(service);
      assert.deepEqual(await storedFiles(data.folder), []);
      await restore();
      const restored = await data.start();
      await data.assertWhole(restored);
      await data.stop(restored);
      assert.deepEqual(await storedFiles(data.folder), files);
    });

    it('give back what is named again, at the start and when it is read', async () => {
      const files = await storedFiles(data.folder);
      await mkdir(trash(40), { recursive: true });
      const sweepAll = async () => {
        for (const name of files) await rename(join(data.folder, 'attachments', name), join(trash(40), name));
      };
      await sweepAll();
      const service = await data.start();
      await eventually(async () => assert.deepEqual(await storedFiles(data.folder), files));
      await eventually(() => assert.rejects(stat(trash(40)), { code: 'ENOENT' })); // The start ends with removing the empty day.
      assert.equal(data.told('filesTakenBack')?.files, FILES);
      await mkdir(trash(40), { recursive: true });
      await sweepAll();
      await data.assertWhole(service);
      assert.deepEqual(await storedFiles(data.folder), files);
      await data.stop(service);
    });
  });
});
