import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { openAttachmentFiles } from '../../src/service/attachments/openAttachmentFiles.ts';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { importFile } from '../../src/service/transfer/import/importFile.ts';
import { eventually } from '../support/eventually.ts';
import { newProject, newStory, storyNames } from './support/project.ts';
import { type Answer, assertRefused, assertStatus, request, textOf } from './support/request.ts';
import { runService } from './support/serviceProcess.ts';
import { TcpGate } from './support/tcpGate.ts';
import { databaseOf, describeOnPostgres, queryDatabase } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder } from './support/testService.ts';

describeOnPostgres('a database that goes away', () => {
  let folder: string;
  let direct: string;
  let gate: TcpGate;
  let service: TestService;
  let ada: TestUser;
  let projectId: number;
  const logged: string[] = [];
  const log = (event: ServiceEvent): void => void logged.push(String(event.message));

  before(async () => {
    folder = await temporaryFolder();
    direct = (await databaseOf(folder)).database ?? '';
    const { hostname: host, port } = new URL(direct);
    gate = await TcpGate.before({ host, port: Number(port) });
    const database = new URL(direct);
    database.port = String(gate.port);
    database.searchParams.set('options', '-c geqo=off');
    service = await startTestService({ dataFolder: folder, database: database.href, lockPatience: 1_000, log });
    ada = await service.user('Ada');
    projectId = await newProject(ada);
  });
  after(async () => {
    await service.stop();
    await gate.close();
    await rm(folder, { recursive: true, force: true });
  });

  const newestVersion = async () => Number(textOf(await ada.get('/activities?limit=1'), 'version'));
  const add = (name: string) => ada.post(`/projects/${projectId}/stories`, `<story><name>${name}</name></story>`);

  it('is told of as 503 with when to try again, for reads and for changes, and is found again when it is back', async () => {
    gate.shut();
    for (const answer of await Promise.all([ada.get('/projects'), add('Lost'), ada.get('/activities')])) {
      assertUnavailable(answer, /Nothing was changed/);
    }
    gate.open();
    await eventually(async () => assertStatus(await add('Found'), 200));
    assert.deepEqual(await storyNames(ada, projectId), ['Found']);
  });

  it('is told of as 503 while it lets nobody in, as for maintenance, and is found again when it does', async () => {
    const maintenance = new URL(direct);
    const name = maintenance.pathname.slice(1);
    maintenance.pathname = '/postgres';
    const run = (statement: string) => queryDatabase(maintenance.href, statement);
    await run(`alter database "${name}" with allow_connections false`);
    try {
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
      for (let round = 0; round < 3; round += 1) {
        for (const answer of [await ada.get('/projects'), await add('Lost'), await request(`${service.url}/healthz`)]) {
          assertUnavailable(answer, /not available right now|Nothing was changed/);
        }
      }
    } finally {
      await run(`alter database "${name}" with allow_connections true`);
    }
    await eventually(async () => assertStatus(await ada.get('/projects'), 200));
    assert.ok(!(await storyNames(ada, projectId)).includes('Lost'));
  });

  it('is not blamed for what goes wrong elsewhere while it is used', async () => {
    const gone = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    const { database } = service.running;
    await assert.rejects(
      database.read(() => Promise.reject(gone)),
      gone,
    );
    await assert.rejects(
      database.write(() => Promise.reject(gone)),
      gone,
    );
  });

  it('is given up when it says nothing more', async () => {
    const well = () => request(`${service.url}/healthz`);
    assertStatus(await well(), 200);
    gate.hold();
    assertUnavailable(await well(), /not available right now/);
    gate.shut();
    gate.open();
    await eventually(async () => assertStatus(await well(), 200));
  });

  it('is given up also in the middle of a change', async () => {
    gate.holdAfter('insert into "stories"');
    assertUnavailable(await add('Unheard of'), /Nothing was changed/);
    gate.shut();
    gate.open();
    await eventually(async () => assertStatus(await add('Heard'), 200));
    assert.ok(!(await storyNames(ada, projectId)).includes('Unheard of'));
  });

  it('is not said to have changed nothing when it may have', async () => {
    gate.shutAfter('insert into "activities"', 'commit');
    const answer = await add('Perhaps');
    assertUnavailable(answer, /Check whether it was saved before you try again/);
    gate.open();
    await eventually(async () => assert.ok((await storyNames(ada, projectId)).includes('Perhaps')));
  });

  it('takes no file from an attachment that may be there', async () => {
    const storyId = await newStory(ada, projectId, 'With a file');
    const form = new FormData();
    form.set('Filedata', new Blob(['Buoys']), 'buoys.txt');
    gate.shutAfter('insert into "attachments"', 'commit');
    assertUnavailable(await ada.post(`/projects/${projectId}/stories/${storyId}/attachments`, form), /Check whether/);
    gate.open();
    const path = `/projects/${projectId}/stories/${storyId}`;
    const story = await eventually(async () => {
      const answer = await ada.get(path);
      assert.match(answer.text, /<attachment>/);
      return answer.text;
    });
    const id = /<attachment>\s*<id type="integer">(\d+)/.exec(story)?.[1];
    const url = textOf(await ada.get(`${path}/attachments/${id}`), 'url').replaceAll('&amp;', '&');
    assert.equal((await request(url)).text, 'Buoys');
  });

  it('takes no file from a story that may have been imported', async () => {
    const path = join(folder, 'stories.xml');
    const attachment = '<attachment><id>1</id><filename>buoys.txt</filename></attachment>';
    const attachments = `<attachments type="array">${attachment}</attachments>`;
    await writeFile(
      path,
      `<stories type="array"><story><id>9</id><name>Imported</name>${attachments}</story></stories>`,
    );
    const files = join(folder, 'files');
    await mkdir(files);
    await writeFile(join(files, '1'), 'Buoys');
    gate.shutAfter('insert into "activities"', 'commit');
    const { database } = service.running;
    const wishes = { path, projectId, attachments: files, addsPeople: false, keepsIds: false, isTrial: false };
    const asked = importFile(
      { database, files: await openAttachmentFiles({ folder }) },
      { ...wishes, now: Date.now(), onProgress: () => undefined },
    );
    await assert.rejects(asked, /Check whether/);
    gate.open();
    await eventually(async () => assert.ok((await storyNames(ada, projectId)).includes('Imported')));
    const rows = await queryDatabase(direct, 'select "storedAs" from attachments');
    for (const { storedAs } of rows)
      assert.equal(await readFile(join(folder, 'attachments', String(storedAs)), 'utf8'), 'Buoys');
    assert.ok(rows.length > 0);
  });

  it('leaves nothing of a change when it goes in the middle of it', async () => {
    const names = await storyNames(ada, projectId);
    const since = await newestVersion();
    gate.shutAfter('insert into "stories"');
    assertUnavailable(await add('Half'), /Nothing was changed/);
    gate.open();
    await eventually(async () => assertStatus(await add('Whole'), 200));
    assert.deepEqual((await storyNames(ada, projectId)).sort(), [...names, 'Whole'].sort());
    assert.equal(await newestVersion(), since + 1);
  });

  it('takes nothing of a change that it did not let begin, whatever the change does first', async () => {
    const { database } = service.running;
    const secret = (name: string) => ({ name, value: 'x' });
    const firsts = [
      () => database.write((tx) => tx.insertInto('secrets').values(secret('unbegun')).execute()),
      () => database.write((tx) => tx.updateTable('secrets').set({ value: 'unbegun' }).execute()),
      () => database.write((tx) => tx.deleteFrom('secrets').execute()),
    ];
    const held = () => queryDatabase(direct, 'select name, value from secrets order by name');
    const before = await held();
    for (const first of firsts) {
      gate.garble('begin isolation level read committed');
      await assert.rejects(first(), /syntax error/);
    }
    assert.deepEqual(await held(), before);
    await database.write((tx) => tx.insertInto('secrets').values(secret('begun')).execute());
    assert.equal((await held()).length, before.length + 1);
  });

  it('gives no answer to a read that it did not let begin, since that would not be of one moment', async () => {
    const { database } = service.running;
    // Whoever looks for deliveries at that moment may be the one who is not understood.
    await eventually(async () => {
      gate.garble('begin isolation level repeatable read');
      await assert.rejects(
        database.read((tx) => tx.selectFrom('projects').selectAll().execute()),
        /syntax error/,
      );
    });
  });

  it('is told of as 503 when an administrator lets no statement take so long', async () => {
    await queryDatabase(direct, `alter database ${new URL(direct).pathname.slice(1)} set statement_timeout = '200ms'`);
    gate.shut();
    gate.open();
    const other = new Client({ connectionString: direct });
    await other.connect();
    try {
      await other.query('begin');
      await other.query(`select * from projects where id = ${projectId} for update`);
      await eventually(async () => {
        assertUnavailable(await add('Too slow'), /Nothing was changed/);
        assert.match(logged.at(-1) ?? '', /statement timeout/);
      });
      await other.query('rollback');
      await eventually(async () => assertStatus(await add('Quick'), 200));
      await eventually(async () => assert.ok(!(await storyNames(ada, projectId)).includes('Too slow')));
    } finally {
      await other.end();
      await queryDatabase(direct, `alter database ${new URL(direct).pathname.slice(1)} reset statement_timeout`);
    }
  });

  it('does not end the service when it closes all connections, whether they are in use or not', async () => {
    await newStory(ada, projectId, 'Before');
    const work = Array.from({ length: 40 }, (_, index) => add(`At once ${index}`));
    await queryDatabase(
      direct,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    const answers = await Promise.all(work);
    for (const answer of answers)
      assert.ok(answer.status === 200 || answer.status === 503, answer.text + logged.slice(-5).join('\n'));
    await eventually(async () => assertStatus(await add('After'), 200));
    const names = await storyNames(ada, projectId);
    for (const [index, { status }] of answers.entries()) {
      const times = names.filter((name) => name === `At once ${index}`).length;
      assert.ok(status === 200 ? times === 1 : times <= 1, `${status} ${times}`);
    }
  });

  it('is told of as 503 where its tables are gone, and is found again when they are back', async () => {
    await queryDatabase(direct, 'alter schema public rename to elsewhere; create schema public');
    for (const answer of await Promise.all([ada.get('/projects'), add('Lost'), request(`${service.url}/healthz`)])) {
      assertUnavailable(answer, /Nothing was changed/);
    }
    assert.match(logged.at(-1) ?? '', /not available right now.* does not exist/);
    await queryDatabase(direct, 'drop schema public; alter schema elsewhere rename to public');
    await eventually(async () => assertStatus(await add('Tables are back'), 200));
    assert.deepEqual((await storyNames(ada, projectId)).includes('Lost'), false);
  });

  it('refuses changes, and still gives reads, while someone holds the project', async () => {
    const other = new Client({ connectionString: direct });
    await other.connect();
    await other.query('begin');
    await other.query(`select * from projects where id = ${projectId} for update`);
    const asked = add('Held');
    assertStatus(await ada.get(`/projects/${projectId}`), 200);
    assertUnavailable(await asked, /Nothing was changed/);
    await other.query('rollback');
    await other.end();
    assertStatus(await add('Not held'), 200);
  });

  it('is named without the password when a start does not find it', async () => {
    const database = new URL(direct);
    database.password = 'a-secret';
    database.pathname = '/nowhere';
    const args = ['--name', 'A', '--email', 'a@b.c', '--data', folder];
    const none = await runService(['user', 'add', ...args, '--database', database.href]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /Could not find the database 127\.0\.0\.1:\d+\/nowhere/);
    database.port = '1';
    const unreachable = await runService(['user', 'add', ...args, '--database', database.href]);
    assert.match(unreachable.stderr, /Could not reach the database 127\.0\.0\.1:1\/nowhere/);
    assert.doesNotMatch(none.stderr + unreachable.stderr, /a-secret|\n\s+at /);
  });
});

function assertUnavailable(answer: Answer, sentence: RegExp): void {
  assertRefused(answer, 503, sentence);
  assert.equal(answer.headers.get('retry-after'), '2');
}
