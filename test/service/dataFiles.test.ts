import assert from 'node:assert/strict';
import { closeSync, openSync, truncateSync, writeSync } from 'node:fs';
import { access, copyFile, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { openSqlite } from '../../src/service/store/sqlite/openSqlite.ts';
import { eventually } from '../support/eventually.ts';
import { newProject, newStory, storyNames } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, request } from './support/request.ts';
import { runService, serveProcess } from './support/serviceProcess.ts';
import { describeOnSqlite } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder, userOf } from './support/testService.ts';

describeOnSqlite('the files of a database that is open', () => {
  let folder: string;
  let file: string;
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  let events: ServiceEvent[];
  let others: TestService[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    file = join(folder, 'story-tracker.db');
    [events, others] = [[], []];
    service = await started();
    ada = await service.user('Ada');
    projectId = await newProject(ada);
    await newStory(ada, projectId, 'Buoys');
  });
  afterEach(async () => {
    await Promise.all(others.map((each) => each.stop()));
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const started = () => startTestService({ dataFolder: folder, log: (event) => void events.push(event) });
  const adaAt = ({ url }: TestService) => userOf(url, ada.name, ada.email, ada.token);
  const add = (name: string, user = ada) =>
    user.post(`/projects/${projectId}/stories`, `<story><name>${name}</name></story>`);
  const well = async () => (await request(`${service.url}/healthz`)).status;
  const told = () => events.filter(({ during }) => during === 'database').map(({ message }) => String(message));
  const elsewhere = async (name: string) => join(await temporaryFolder(), name);

  /** As the command of that name does it. */
  async function backedUp(): Promise<string> {
    const copy = await elsewhere('copy.db');
    const source = new DatabaseSync(file);
    source.prepare('vacuum into ?').run(copy);
    source.close();
    return copy;
  }

  async function assertNothingDone(sentence: RegExp, message: RegExp): Promise<void> {
    for (const name of ['Lost', 'Lost too']) assertTold(await add(name), sentence);
    assertTold(await ada.put(`/projects/${projectId}/stories/1`, '<story><name>Lost</name></story>'), sentence);
    assert.equal(await well(), 503);
    assert.equal(told().length, 1, told().join('\n'));
    assert.match(told()[0] ?? '', message);
  }

  it('are looked for at each change: where their folder is gone, nothing is taken, and all goes on when it is back', async () => {
    const away = await elsewhere('away');
    await rename(folder, away);
    await assertNothingDone(/no longer there/, /story-tracker\.db is no longer there/);
    assertTold(await ada.get(`/projects/${projectId}/stories`), /no longer there/);
    await rename(away, folder);
    assertStatus(await add('Bells'), 200);
    assert.equal(await well(), 200);
    assert.deepEqual((await storyNames(ada, projectId)).sort(), ['Bells', 'Buoys']);
  });

  /** From then on the time of the folder tells whether anything happened in it. */
  async function quiet(): Promise<void> {
    await wait(2_200);
    for (const name of ['One', 'Two']) assertStatus(await add(name), 200);
  }

  it('are missed when they are removed for good', async () => {
    await quiet();
    await rm(folder, { recursive: true });
    await assertNothingDone(/no longer there/, /no longer there/);
  });

  for (const suffix of ['-wal', '-shm']) {
    it(`are missed when the one that ends with ${suffix} is removed`, async () => {
      await quiet();
      await rename(`${file}${suffix}`, await elsewhere('gone'));
      await assertNothingDone(/no longer there/, new RegExp(`${suffix} is no longer there`));
    });
  }

  it('are refused by who has them open once others stand in their place, which a new start serves', async () => {
    const copy = await backedUp();
    assertStatus(await add('Lost'), 200);
    await rename(copy, file);
    await rm(`${file}-wal`);
    await rm(`${file}-shm`);
    await assertNothingDone(/was replaced/, /Another file was put in the place/);
    assertTold(await ada.get(`/projects/${projectId}/stories`), /was replaced/);
    const other = await started();
    others.push(other);
    assertStatus(await add('Bells', adaAt(other)), 200);
    const log = await stat(`${file}-wal`);
    await service.stop();
    assert.equal((await stat(`${file}-wal`)).ino, log.ino, 'The log of the other one was taken away.');
    assertStatus(await add('Boats', adaAt(other)), 200);
    const copied = await elsewhere('look.db');
    const source = new DatabaseSync(file);
    await backup(source, copied);
    source.close();
    assert.deepEqual(namesIn(copied), ['Bells', 'Boats', 'Buoys']);
    service = await started();
  });

  it('are refused when an earlier state was copied over them, which a stop leaves as it is', async () => {
    const copy = await backedUp();
    await grow();
    await service.stop();
    const serving = await serveProcess(['--data', folder, '--port', '0']);
    const said: string[] = [];
    serving.child.stdout.on('data', (text) => void said.push(String(text)));
    const there = userOf(serving.url, ada.name, ada.email, ada.token);
    assertStatus(await add('Afterwards', there), 200);
    await copyFile(copy, file);
    for (const name of ['Lost', 'Lost too']) assertTold(await add(name, there), /was written over/);
    assertTold(await there.get(`/projects/${projectId}/stories`), /was written over/);
    assert.equal((await request(`${serving.url}/healthz`)).status, 503);
    assert.equal(await serving.end('SIGTERM'), 0);
    assert.match(said.join(''), /was written over\. No more changes .* put story-tracker\.db from a backup/);
    assert.deepEqual(await readFile(file), await readFile(copy));
    for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`);
    service = await started();
    assertStatus(await add('Bells', adaAt(service)), 200);
    assert.deepEqual((await storyNames(adaAt(service), projectId)).sort(), ['Bells', 'Buoys']);
  });

  it('are not opened where the log is of another database than the file, and nothing is changed', async () => {
    const copy = await backedUp();
    await service.stop();
    await rm(file);
    const killed = await serveProcess(['--data', folder, '--port', '0']);
    assert.equal(await killed.end('SIGKILL'), 'SIGKILL');
    await copyFile(copy, file);
    const before = await Promise.all([readFile(file), readFile(`${file}-wal`)]);
    const refused = await runService(['serve', '--data', folder]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /-wal was written for another database than .* move story-tracker\.db-wal and story-/);
    assert.deepEqual(await Promise.all([readFile(file), readFile(`${file}-wal`)]), before);
    for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`);
    service = await started();
    assert.deepEqual(await storyNames(adaAt(service), projectId), ['Buoys']);
  });

  it('are opened once another process, which takes them over from one that was killed, lets go of them', async () => {
    await service.stop();
    const killed = await serveProcess(['--data', folder, '--port', '0']);
    assertStatus(await add('Bells', userOf(killed.url, ada.name, ada.email, ada.token)), 200);
    assert.equal(await killed.end('SIGKILL'), 'SIGKILL');
    const taking = new DatabaseSync(file);
    taking.exec('pragma locking_mode = exclusive');
    taking.exec('begin immediate; rollback');
    const starting = started();
    await Promise.race([starting.then(() => assert.fail('It did not wait.')), wait(600)]);
    taking.close();
    service = await starting;
    assert.deepEqual((await storyNames(adaAt(service), projectId)).sort(), ['Bells', 'Buoys']);
  });

  it('are opened with the log of a service that was killed, also before anything of it is in the file', async () => {
    for (const name of ['Bells', 'Boats']) {
      await service.stop();
      const serving = await serveProcess(['--data', folder, '--port', '0']);
      assertStatus(await add(name, userOf(serving.url, ada.name, ada.email, ada.token)), 200);
      assert.equal(await serving.end('SIGKILL'), 'SIGKILL');
      assert.ok((await stat(`${file}-wal`)).size > 0);
      service = await started();
      ada = adaAt(service);
    }
    assert.deepEqual((await storyNames(ada, projectId)).sort(), ['Bells', 'Boats', 'Buoys']);
    const empty = await temporaryFolder();
    const killed = await serveProcess(['--data', empty, '--port', '0']);
    assert.equal(await killed.end('SIGKILL'), 'SIGKILL');
    assert.equal((await runService(['user', 'list', '--data', empty])).code, 0);
    await rm(empty, { recursive: true, force: true });
  });

  it('are taken for what they are when SQLite tidies them up, or another program does', async () => {
    await grow();
    const other = new DatabaseSync(file);
    other.exec('delete from notes');
    for (const words of ['wal_checkpoint(truncate)', 'wal_checkpoint(full)']) other.exec(`pragma ${words}`);
    other.exec('vacuum');
    other.exec('pragma wal_checkpoint(truncate)');
    other.close();
    await wait(300);
    assertStatus(await add('Bells'), 200);
    assertStatus(await ada.get(`/projects/${projectId}/stories`), 200);
    assert.equal(await well(), 200);
    assert.deepEqual(told(), []);
  });

  for (const length of [100, 4096, 40_960]) {
    it(`answer 503 with the mend when the file is cut to ${length} bytes under a service, which says so once`, async () => {
      await grow();
      await service.stop();
      service = await started();
      ada = adaAt(service);
      assertStatus(await ada.get(`/projects/${projectId}/stories`), 200);
      truncateSync(file, length);
      for (let round = 0; round < 3; round += 1) {
        for (const answer of [await ada.get(`/projects/${projectId}/stories`), await add('Lost')]) {
          assertTold(answer, /is damaged|was written over/);
        }
        assert.equal(await well(), 503);
      }
      assert.equal(told().length, 1, told().join());
      assert.match(told().join(), /put story-tracker\.db from a backup/);
    });
  }

  it('are written no more once one is found damaged, by no process, and read as far as that goes, until a backup is in its place', async () => {
    const copy = await backedUp();
    await service.stop();
    damage('notes');
    service = await started();
    ada = adaAt(service);
    const other = await started();
    others.push(other);
    const names = () => storyNames(ada, projectId, '?filter=type:feature');
    assertStatus(await add('Bells'), 200);
    const note = await ada.post(`/projects/${projectId}/stories/1/notes`, '<note><text>x</text></note>');
    assertTold(note, /is damaged, so it takes no changes/);
    await assertNothingDone(/is damaged/, /story-tracker\.db is damaged: .* put story-tracker\.db from a backup/);
    assertStatus(await ada.get('/activities'), 200);
    assertStatus(await ada.get('/projects'), 200);
    events.length = 0;
    assertTold(await add('Lost', adaAt(other)), /is damaged/);
    assert.equal(told().length, 1);
    await Promise.all([service.stop(), ...others.map((each) => each.stop())]);
    others = [];
    events.length = 0;
    service = await started();
    ada = adaAt(service);
    assertTold(await add('Lost'), /is damaged/);
    assert.equal(told().length, 1);
    await service.stop();
    for (const suffix of ['-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
    await copyFile(copy, file);
    service = await started();
    ada = adaAt(service);
    assertStatus(await add('Boats'), 200);
    assert.equal(await well(), 200);
    await assert.rejects(access(`${file}-damaged`));
    assert.deepEqual((await names()).sort(), ['Boats', 'Buoys']);
  });

  it('are looked through for damage a while after the start, beside the thread', async () => {
    for (const isDamaged of [false, true]) {
      await service.stop();
      if (isDamaged) damage('notes');
      events.length = 0;
      const store = await openSqlite(file, { log: (event) => void events.push(event), searchAfter: 0 });
      if (isDamaged) {
        await eventually(() => assert.equal(told().length, 1));
        await assert.rejects(store.requireWritable(), /is damaged/);
        await assert.rejects(
          store.write((tx) => tx.deleteFrom('users').execute()),
          /is damaged/,
        );
      } else {
        await wait(300);
        assert.deepEqual(told(), []);
        await store.requireWritable();
      }
      await store.close();
    }
  });

  /** So that pages are added to the file itself, not to its log only. */
  async function grow(): Promise<void> {
    const text = 'x'.repeat(19_000);
    for (let count = 0; count < 10; count += 1) {
      assertStatus(await ada.post(`/projects/${projectId}/stories/1/notes`, `<note><text>${text}</text></note>`), 200);
    }
    const other = new DatabaseSync(file);
    // Who looks through the file at this moment keeps the log from being put into it.
    await eventually(() => {
      const { busy } = Object(other.prepare('pragma wal_checkpoint(truncate)').get());
      assert.equal(busy, 0);
    });
    other.close();
  }

  /** Writes over the first page of a table, as a bad disk does. */
  function damage(table: string): void {
    const database = new DatabaseSync(file);
    const { rootpage, size } = Object(
      database
        .prepare('select rootpage, page_size as size from sqlite_master, pragma_page_size where name = ?')
        .get(table),
    );
    database.exec('pragma wal_checkpoint(truncate)');
    database.close();
    const bytes = openSync(file, 'r+');
    writeSync(bytes, Buffer.alloc(size, 0xa5), 0, size, (rootpage - 1) * size);
    closeSync(bytes);
  }

  function namesIn(path: string): readonly string[] {
    const database = new DatabaseSync(path);
    const rows = database.prepare('select name from stories order by name').all();
    database.close();
    return rows.map(({ name }) => String(name));
  }
});

function assertTold(answer: Answer, sentence: RegExp): void {
  assertRefused(answer, 503, sentence);
  assert.match(answer.text, /Nothing was changed/);
  assert.equal(answer.headers.get('retry-after'), '30');
}
