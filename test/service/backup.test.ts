import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { eventually } from '../support/eventually.ts';
import { newProject } from './support/project.ts';
import { assertStatus, idOf, request, textOf, texts } from './support/request.ts';
import {
  end,
  runService,
  type ServiceProcess,
  serveProcess,
  serviceCommand,
  startCommand,
} from './support/serviceProcess.ts';
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

/** All rows of all tables, as the database in a folder has them. */
function rowsIn(folder: string): Readonly<Record<string, readonly unknown[]>> {
  const database = new DatabaseSync(join(folder, 'story-tracker.db'), { readOnly: true });
  try {
    const tables = database.prepare(`select name from sqlite_master where type = 'table' order by name`).all();
    return Object.fromEntries(
      tables.map(({ name }) => [String(name), database.prepare(`select * from "${name}"`).all()]),
    );
  } finally {
    database.close();
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
    assert.deepEqual(await readdir(target), ['attachments', 'backup.json', 'story-tracker.db']);
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

  it('is canceled by who started it, tells how far it is, and leaves nothing half', async () => {
    const parent = await temporaryFolder();
    const canceled = await startCommand(['backup', parent, '--dated', '--embedded', '--data', busy.folder, '--json']);
    canceled.stdout.resume();
    const [first] = await once(createInterface({ input: canceled.stderr }), 'line');
    assert.deepEqual(JSON.parse(first), { progress: 0 });
    const ended = once(canceled, 'close');
    canceled.stdin.end();
    assert.deepEqual(await ended, [143, null]);
    assert.deepEqual(await readdir(parent), []);
    await rm(parent, { recursive: true, force: true });
  });

  it('is named by date where that is asked for, and never takes the place of another', async () => {
    const parent = await temporaryFolder();
    const folders: string[] = [];
    for (let count = 0; count < 2; count += 1) {
      const { stdout, stderr } = await runService(['backup', parent, '--dated', '--data', busy.folder, '--json']);
      folders.push(JSON.parse(stdout || stderr).folder);
    }
    const [first = '', second] = folders;
    assert.match(first, /story-tracker-\d{4}-\d\d-\d\d$/);
    assert.equal(second, `${first}-2`);
    assert.equal((await readdir(parent)).length, 2);
    await rm(parent, { recursive: true, force: true });
  });

  it('is restored to the same stories, files and tokens, into a place that is new or empty and no other', async () => {
    const [copy, parent] = [join(await temporaryFolder(), 'copy'), await temporaryFolder()];
    await busy.write();
    assert.equal((await runService(['backup', copy, '--data', busy.folder])).code, 0);
    const [fresh, empty, used] = ['fresh', 'empty', 'used'].map((name) => join(parent, name));
    assert.ok(fresh && empty && used);
    for (const folder of [empty, used]) await mkdir(folder);
    await writeFile(join(used, 'notes.txt'), 'mine');
    for (const folder of [fresh, empty]) {
      const { code, stdout, stderr } = await runService(['restore', copy, '--data', folder]);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^Restored all data, with \d+ attached files?, from the backup of 20/);
      assert.deepEqual(await readdir(folder), ['attachments', 'story-tracker.db']);
      assert.deepEqual(rowsIn(folder), rowsIn(copy));
      assert.deepEqual(rowsIn(folder).tokens, rowsIn(busy.folder).tokens);
      assert.deepEqual(rowsIn(folder).stories, rowsIn(busy.folder).stories);
      const names = await storedFiles(folder);
      assert.deepEqual(names, await storedFiles(busy.folder));
      for (const name of names) {
        const [restored, original] = [folder, busy.folder].map((one) => readFile(join(one, 'attachments', name)));
        assert.deepEqual(await restored, await original);
      }
      const service = await serveProcess(['--data', folder]);
      const ada = userOf(service.url, 'Ada', '', busy.ada.token);
      assert.equal(texts(await ada.get(`/projects/${busy.projectId}/stories`), 'name').includes('Story 0'), true);
      assert.equal(await service.end('SIGTERM'), 0);
    }
    const refused = await runService(['restore', copy, '--data', used]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /used is not empty\./);
    assert.deepEqual(await readdir(used), ['notes.txt']);
    const none = await runService(['restore', used, '--data', join(parent, 'none')]);
    assert.match(none.stderr, /used is not a backup: it has no backup\.json\./);
    for (const folder of [parent, copy]) await rm(folder, { recursive: true, force: true });
  }).timeout(60_000);

  it('is not restored where a file of it is damaged, missing or leads elsewhere', async () => {
    const [copy, parent] = [join(await temporaryFolder(), 'copy'), await temporaryFolder()];
    assert.equal((await runService(['backup', copy, '--data', busy.folder])).code, 0);
    const restored = () => runService(['restore', copy, '--data', join(parent, 'data')]);
    const [name = ''] = await storedFiles(copy);
    const file = join(copy, 'attachments', name);
    const original = await readFile(file);
    await writeFile(file, Buffer.from(original).fill(0, 0, 1));
    assert.match(
      (await restored()).stderr,
      /^attachments\/[0-9a-f]+ is not as it was when the backup was made\. Nothing/,
    );
    await rm(file);
    assert.match(
      (await restored()).stderr,
      /^attachments\/[0-9a-f]+ is missing from the backup\. Nothing was restored\./,
    );
    await writeFile(file, original);
    const manifest = await readFile(join(copy, 'backup.json'), 'utf8');
    await writeFile(join(copy, 'backup.json'), manifest.replace(`attachments/${name}`, '../../elsewhere'));
    const led = await restored();
    assert.deepEqual([led.code, await readdir(parent)], [2, []]);
    assert.match(led.stderr, /backup\.json is damaged, or from a newer version\./);
    await writeFile(join(copy, 'backup.json'), manifest.replace(/"made": "[^"]*"/, '"made": "2026\\u001b[2J"'));
    assert.match((await restored()).stderr, /backup\.json is damaged/);
    await writeFile(join(copy, 'backup.json'), manifest);
    await rm(file);
    await writeFile(join(copy, 'aside'), original);
    await symlink(join(copy, 'aside'), file);
    assert.match(
      (await restored()).stderr,
      /^attachments\/[0-9a-f]+ is not a file in the backup\. Nothing was restored\./,
    );
    await rm(file);
    await writeFile(file, Buffer.concat([original, Buffer.alloc(1)]));
    assert.match((await restored()).stderr, /is not as it was when the backup was made\. Nothing was restored\./);
    assert.deepEqual(await readdir(parent), []);
    await writeFile(file, original);
    assert.equal((await restored()).code, 0);
    for (const folder of [parent, copy]) await rm(folder, { recursive: true, force: true });
  });

  it('of a database that names files elsewhere takes none of them, and writes nothing outside of its folder', async () => {
    const parent = await temporaryFolder();
    const [data, place] = [join(parent, 'from', 'data'), join(parent, 'to')];
    assert.equal((await runService(['backup', data, '--data', busy.folder])).code, 0);
    for (const folder of ['from', 'to']) await mkdir(join(parent, folder, 'outside'), { recursive: true });
    await writeFile(join(parent, 'from', 'outside', 'secret'), 'not for a backup');
    const database = new DatabaseSync(join(data, 'story-tracker.db'));
    database.exec(
      `update attachments set "storedAs" = '../../outside/secret' where id = (select min(id) from attachments)`,
    );
    database.close();
    const made = await runService(['backup', join(place, 'copy'), '--data', data, '--json']);
    assert.equal(made.code, 0, made.stderr);
    assert.equal(JSON.parse(made.stdout).missing, 1);
    assert.deepEqual(await readdir(join(place, 'outside')), []);
    assert.deepEqual((await readdir(place)).sort(), ['copy', 'outside']);
    await rm(parent, { recursive: true, force: true });
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
      const { files } = JSON.parse(await readFile(join(target, 'backup.json'), 'utf8'));
      assert.equal(Object.keys(files).length, count + 1, 'and of whom they are');
      const { database } = await markIn(busy.folder);
      assert.deepEqual(
        await markIn(target),
        { database, version: 0, occurredAt: null },
        'of dumps before and after it',
      );
    }
    const restored = join(await temporaryFolder(), 'restored');
    const { code, stdout, stderr } = await runService(['restore', target, '--data', restored]);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^Restored 2 attached files .*\nThe database is not in the backup\. Restore it with pg_restore\.$/m,
    );
    assert.deepEqual(await storedFiles(restored), await storedFiles(target));
    await busy.end();
  });
});
