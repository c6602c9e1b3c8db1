import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUCKET_KEYS, BucketStore } from './support/bucketStore.ts';
import { newProject, newStory } from './support/project.ts';
import { idOf, textOf, texts } from './support/request.ts';
import { runService } from './support/serviceProcess.ts';
import { dropDatabaseOf } from './support/testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder, userOf } from './support/testService.ts';

describe('attached files in a bucket', () => {
  let store: BucketStore;
  let folder: string;
  let events: Readonly<Record<string, unknown>>[];

  beforeEach(async () => {
    [store, folder, events] = [await BucketStore.start(), await temporaryFolder(), []];
  });
  afterEach(async () => {
    await store.remove();
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });

  const start = (dataFolder = folder): Promise<TestService> =>
    startTestService({ dataFolder, bucket: store.address, log: (event) => events.push({ ...event }) });

  function attach(user: TestUser, path: string, bytes: Uint8Array<ArrayBuffer> | string, name = 'Plan.txt') {
    const form = new FormData();
    form.set('Filedata', new Blob([bytes]), name);
    return user.post(`${path}/attachments`, form);
  }

  async function urlOf(user: TestUser, path: string, id: number): Promise<string> {
    return textOf(await user.get(`${path}/attachments/${id}`), 'url').replaceAll('&amp;', '&');
  }

  async function download(user: TestUser, path: string, id: number): Promise<Response> {
    return fetch(await urlOf(user, path, id));
  }

  async function newPath(user: TestUser): Promise<string> {
    const projectId = await newProject(user);
    return `/projects/${projectId}/stories/${await newStory(user, projectId, 'With files')}`;
  }

  it('come back as they were, from another service too, and none stays on the machine', async () => {
    const service = await start();
    const ada = await service.user('Ada');
    const path = await newPath(ada);
    const large = new Uint8Array(20 * 1024 * 1024 + 7).map((_, index) => (index * 7919) >>> 5);
    const files = ['Plan', '', large] as const;
    const ids: number[] = [];
    for (const bytes of files) ids.push(idOf(await attach(ada, path, bytes)));
    assert.equal((await store.files()).length, 3);
    const local = await readdir(join(folder, 'attachments'), { recursive: true });
    assert.deepEqual(local, ['incoming']);
    const other = await start();
    for (const [index, id] of ids.entries()) {
      const answer = await download(userOf(other.url, ada.name, ada.email, ada.token), path, id);
      assert.equal(answer.status, 200);
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(files[index] ?? '')));
    }
    await other.stop();
    await service.stop();
  }).timeout(120_000);

  it('go when their story is deleted, stay in the bucket for a month, and come back with the database', async () => {
    const service = await start();
    const ada = await service.user('Ada');
    const path = await newPath(ada);
    await attach(ada, path, 'Plan');
    const [name = ''] = await store.files();
    await ada.delete(path);
    await service.stop();
    const day = new Date().toISOString().slice(0, 10);
    assert.deepEqual(await store.keys(), [name, 'database.json', `trash/${day}/${name}-4`].sort());
    await (await start()).stop();
    assert.deepEqual(await store.files(), [name]);
    await store.removeObject(`trash/${day}/${name}-4`);
    await store.put(`trash/2026-01-02/${name}-4`, '');
    await (await start()).stop();
    assert.deepEqual(await store.keys(), ['database.json']);
  });

  it('that no attachment names go to the trash after a day, by the clock of the store', async () => {
    await (await start()).stop();
    const [young, old] = ['e'.repeat(32), 'f'.repeat(32)];
    for (const name of [young, old]) await store.put(name, 'left behind');
    await store.age(old, 2);
    await (await start()).stop();
    const day = new Date().toISOString().slice(0, 10);
    assert.deepEqual(await store.keys(), ['database.json', young, old, `trash/${day}/${old}-11`].sort());
    const swept = events.filter(({ event }) => event === 'filesSwept');
    assert.deepEqual([swept.length, swept[0]?.files, swept[0]?.bytes], [1, 1, 11]);
  });

  it('are refused, with what changes nothing, while the store is away, and taken when it is back', async () => {
    const service = await start();
    const ada = await service.user('Ada');
    const path = await newPath(ada);
    const id = idOf(await attach(ada, path, 'Plan'));
    await store.stop();
    const refused = await attach(ada, path, 'Later');
    assert.equal(refused.status, 503);
    assert.match(refused.text, /attached files of this service are not available right now\. Nothing was changed/);
    const url = await urlOf(ada, path, id);
    assert.equal((await fetch(url)).status, 503);
    assert.equal((await fetch(`${service.url}/healthz`)).status, 503);
    assert.equal((await ada.get(path)).status, 200);
    await store.start();
    assert.equal((await fetch(url)).status, 200);
    assert.equal((await attach(ada, path, 'Later')).status, 200);
    assert.deepEqual(texts(await ada.get(path), 'filename').length, 2);
    assert.deepEqual(await readdir(join(folder, 'attachments', 'incoming')), []);
    await service.stop();
    assert.doesNotMatch(JSON.stringify(events), /S3RVER[^"]*S3RVER|Signature=/);
  });

  it('of another database are neither swept nor added to', async () => {
    const service = await start();
    const ada = await service.user('Ada');
    await attach(ada, await newPath(ada), 'Plan');
    await service.stop();
    const files = await store.files();
    for (const name of files) await store.age(name, 2);
    const elsewhere = await temporaryFolder();
    const other = await start(elsewhere);
    const bo = await other.user('Bo');
    const refused = await attach(bo, await newPath(bo), 'Mine');
    assert.equal(refused.status, 503);
    assert.match(refused.text, /belongs to another database/);
    await other.stop();
    assert.deepEqual(await store.files(), files);
    const [warning] = events.filter(({ event }) => event === 'warning');
    assert.match(String(warning?.message), /run: service files pair --files 's3:\/\/tracker-files\/team/);
    await rm(elsewhere, { recursive: true, force: true });
    await dropDatabaseOf(elsewhere);
  });

  it('are found by the commands that check, export and import them', async () => {
    const service = await start();
    const ada = await service.user('Ada');
    const path = await newPath(ada);
    await attach(ada, path, 'Plan');
    await attach(ada, path, 'Second', 'Second.txt');
    await service.stop();
    const [first = ''] = await store.files();
    const place = ['--data', folder, '--files', store.url()];
    const run = (...args: readonly string[]) => runService([...args, ...place], '', BUCKET_KEYS);
    const checked = await run('files', 'check');
    assert.match(checked.stdout, /^Attachments: 2\. Missing: 0\. Truncated or altered: 0\.$/m, checked.stderr);
    const target = await mkdtemp(join(tmpdir(), 'export-'));
    const [file, files] = [join(target, 'apollo.xml'), join(target, 'files')];
    const exported = await run('export', '--project', '1', '--output', file, '--attachments', files);
    assert.equal(exported.code, 0, exported.stderr);
    const contents = await Promise.all((await readdir(files)).map((name) => readFile(join(files, name), 'utf8')));
    assert.deepEqual(contents.sort(), ['Plan', 'Second']);
    const imported = await run('import', file, '--name', 'Copy', '--attachments', files);
    assert.equal(imported.code, 0, imported.stderr);
    assert.equal((await store.files()).length, 4);
    await store.removeObject(first);
    const lost = await run('files', 'check');
    assert.deepEqual([lost.code, /Missing: 1\./.test(lost.stdout)], [1, true]);
    await rm(target, { recursive: true, force: true });
  });

  it('need a bucket that is there and credentials that open it', async () => {
    const serve = (url: string, env: Readonly<Record<string, string>>) =>
      runService(['serve', '--data', folder, '--files', url], '', env);
    const cases = [
      [store.url('nowhere'), BUCKET_KEYS, /Could not find the bucket of s3:\/\/nowhere.* Create it first/],
      [
        store.url(),
        { ...BUCKET_KEYS, AWS_ACCESS_KEY_ID: 'nobody' },
        /refused the credentials\. Check AWS_ACCESS_KEY_ID/,
      ],
      [store.url(), {}, /Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/],
      [
        's3://tracker-files?endpoint=http://127.0.0.1:1',
        BUCKET_KEYS,
        /Could not reach the bucket .* Check the endpoint/,
      ],
      ['/srv/files', BUCKET_KEYS, /--files must be an address such as s3:\/\/BUCKET/],
    ] as const;
    for (const [url, env, expected] of cases) {
      const { code, stderr } = await serve(url, { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '', ...env });
      assert.match(stderr, expected);
      assert.notEqual(code, 0);
    }
  });
});
