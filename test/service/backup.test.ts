import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '../support/eventually.ts';
import { newProject } from './support/project.ts';
import { assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import { end, runService, type ServiceProcess, serveProcess, serviceCommand } from './support/serviceProcess.ts';
import { storedFiles } from './support/storedFiles.ts';
import { describeOnPostgres, describeOnSqlite } from './support/testDatabase.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

interface Written {
  readonly storyId: number;
  readonly name: string;
  readonly file: string;
}

/** A service with someone who writes stories, each with a file. */
class BusyService {
  readonly folder: string;
  readonly service: ServiceProcess;
  readonly ada: TestUser;
  readonly projectId: number;
  readonly written: Written[] = [];

  private constructor(folder: string, service: ServiceProcess, ada: TestUser, projectId: number) {
    this.folder = folder;
    this.service = service;
    this.ada = ada;
    this.projectId = projectId;
  }

  static async start(): Promise<BusyService> {
    const folder = await temporaryFolder();
    const args = ['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', folder, '--json'];
    const { token } = JSON.parse((await runService(args)).stdout);
    const service = await serveProcess(['--data', folder]);
    const ada = userOf(service.url, 'Ada', 'ada@example.org', token);
    return new BusyService(folder, service, ada, await newProject(ada));
  }

  async write(): Promise<void> {
    const name = `Story ${this.written.length}`;
    const path = `/projects/${this.projectId}/stories`;
    const storyId = idOf(await this.ada.post(path, `<story><name>${name}</name></story>`));
    const file = name.repeat(1 + (this.written.length % 50));
    const data = new FormData();
    data.set('Filedata', new Blob([file]), `${name}.txt`);
    assertStatus(await this.ada.post(`${path}/${storyId}/attachments`, data), 200);
    this.written.push({ storyId, name, file });
  }

  /** Writes until the work is done. */
  async during<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = work.finally(() => {
      isDone = true;
    });
    while (!isDone) await this.write();
    return ended;
  }

  async end(): Promise<void> {
    assert.equal(await this.service.end('SIGTERM'), 0);
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** What a folder of attached files says of its database. */
async function markIn(folder: string): Promise<{ readonly database: string; readonly version: number }> {
  return JSON.parse(await readFile(join(folder, 'attachments', 'database.json'), 'utf8'));
}

describeOnSqlite('a backup, made while a service writes', () => {
  let busy: BusyService;
  let target: string;

  before(async () => {
    busy = await BusyService.start();
    target = join(await temporaryFolder(), 'copy');
  });
  after(() => busy.end());

  it('is all of one moment, and a service starts from it', async () => {
    for (let count = 0; count < 20; count += 1) await busy.write();
    const before = busy.written.length;
    const backup = await busy.during(runService(['backup', target, '--data', busy.folder, '--json']));
    assert.equal(backup.code, 0, backup.stderr);
    assert.equal(backup.stderr, '');
    const report = JSON.parse(backup.stdout);
    assert.deepEqual([report.folder, report.missing, report.hasDatabase], [target, 0, true]);
    assert.deepEqual(await readdir(target), ['attachments', 'story-tracker.db']);
    assert.equal((await stat(target)).mode & 0o777, 0o700);
    assert.equal((await stat(join(target, 'story-tracker.db'))).mode & 0o777, 0o600);
    assert.equal((await storedFiles(target)).length, report.files);

    const copied = await markIn(target);
    await busy.write();
    await eventually(async () => {
      // What the folder of a running service says is up to a second behind.
      const { database, version } = await markIn(busy.folder);
      assert.ok(copied.database === database && copied.version < version, `${copied.version}, ${version}`);
    });
    assert.equal((await stat(join(target, 'attachments', 'database.json'))).mode & 0o777, 0o600);
    const check = JSON.parse((await runService(['files', 'check', '--data', target, '--json'])).stdout);
    assert.deepEqual([check.isPaired, check.named, check.missing], [true, report.files, []]);
    assert.deepEqual((await markIn(target)).version, copied.version, 'the copy is exactly as far as its files say');

    const restored = await serveProcess(['--data', target]);
    const ada = userOf(restored.url, 'Ada', '', busy.ada.token);
    const stories = await ada.get(`/projects/${busy.projectId}/stories`);
    const names = new Set(texts(stories, 'name'));
    const kept = busy.written.filter(({ name }) => names.has(name));
    assert.ok(kept.length >= before && kept.length < busy.written.length + 1);
    assert.deepEqual(
      kept.map(({ name }) => name),
      busy.written.slice(0, kept.length).map(({ name }) => name),
    );
    let files = 0;
    for (const { storyId, file } of kept) {
      const story = await ada.get(`/projects/${busy.projectId}/stories/${storyId}`);
      const [id] = /<attachment>\s*<id type="integer">(\d+)/.exec(story.text)?.slice(1) ?? [];
      if (id === undefined) continue;
      files += 1;
      const attachment = await ada.get(`/projects/${busy.projectId}/stories/${storyId}/attachments/${id}`);
      const url = textOf(attachment, 'url').replaceAll('&amp;', '&');
      assert.equal((await request(url)).text, file);
    }
    assert.equal(files, report.files);
    assert.ok(files >= before);
    assert.ok(idOf(await ada.post(`/projects/${busy.projectId}/stories`, '<story><name>After</name></story>')) > 0);
    assert.equal(await restored.end('SIGTERM'), 0);
  }).timeout(60_000);

  it('leaves nothing behind that is half when it is told to stop', async () => {
    const parent = await temporaryFolder();
    const data = await temporaryFolder();
    const attachments = join(data, 'attachments');
    await mkdir(attachments);
    const names = Array.from({ length: 2_000 }, (_, index) => index.toString(16).padStart(32, '0'));
    await Promise.all(names.map((name) => writeFile(join(attachments, name), name)));
    await runService(['user', 'add', '--name', 'A', '--email', 'a@b.c', '--data', data]);
    const backup = await serviceCommand(['backup', join(parent, 'copy'), '--data', data]);
    await eventually(async () => assert.match(String(await readdir(parent)), /^copy\.\d+\.part$/));
    assert.equal(await end(backup, 'SIGINT'), 130);
    assert.deepEqual(await readdir(parent), []);
    for (const folder of [parent, data]) await rm(folder, { recursive: true, force: true });
  });

  it('takes the place of nothing, and is not made of nothing', async () => {
    const digest = async () =>
      createHash('sha256')
        .update(await readFile(join(target, 'story-tracker.db')))
        .digest('hex');
    const before = await digest();
    const nowhere = join(await temporaryFolder(), 'nowhere');
    const inside = join(busy.folder, 'copy');
    const [again, none, within] = await Promise.all([
      runService(['backup', target, '--data', busy.folder]),
      runService(['backup', `${target}-2`, '--data', nowhere]),
      runService(['backup', inside, '--data', busy.folder]),
    ]);
    assert.deepEqual([again.code, none.code, within.code], [2, 1, 2]);
    assert.match(within.stderr, /copy is inside the data folder and would be lost with it\. Choose another folder\./);
    await assert.rejects(stat(inside));
    assert.match(again.stderr, /copy already exists/);
    assert.match(none.stderr, /Could not find data in .*nowhere/);
    assert.equal(await digest(), before);
    await assert.rejects(stat(nowhere));
  });
});

describeOnPostgres('a backup of data in PostgreSQL', () => {
  it('has the files, again those that came later, and says how the database is copied', async () => {
    const busy = await BusyService.start();
    const target = join(await temporaryFolder(), 'copy');
    for (const count of [1, 2]) {
      await busy.write();
      const { code, stdout, stderr } = await runService(['backup', target, '--data', busy.folder]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /Copied attached files into .*copy/);
      assert.match(stdout, /pg_dump/);
      const copies = await storedFiles(target);
      const texts = await Promise.all(copies.map((name) => readFile(join(target, 'attachments', name), 'utf8')));
      assert.deepEqual(texts.sort(), busy.written.map(({ file }) => file).sort());
      assert.equal(copies.length, count);
      const { database } = await markIn(busy.folder);
      assert.deepEqual(
        await markIn(target),
        { database, version: 0, occurredAt: null },
        'of dumps before and after it',
      );
    }
    await busy.end();
  });
});
