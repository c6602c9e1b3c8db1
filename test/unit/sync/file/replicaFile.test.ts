import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../../../src/core/log.ts';
import { rememberLinked, StoredLinkedCommits } from '../../../../src/sync/commits/linkedCommits.ts';
import { StoredActiveStories } from '../../../../src/sync/replica/activeStories.ts';
import { account, Client, schemaVersion } from '../../../support/replica/client.ts';
import { ModelServer } from '../../../support/trackers/modelServer.ts';
import { modelTracker } from '../../../support/trackers/modelTracker.ts';

describe('The file of the replica', () => {
  const clients: Client[] = [];
  let folder: string;
  let path: string;
  let server: ModelServer;
  let warnings: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-replica-'));
    path = join(folder, 'state', 'replica.sqlite');
    server = new ModelServer();
    for (let index = 0; index < 50; index++) server.create(1, index % 5 === 0);
    warnings = [];
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.close();
    await chmod(folder, 0o755);
    await rm(folder, { recursive: true, force: true });
  });

  function window(at = path): Client {
    const log: Log = { debug() {}, info() {}, warn: (text) => warnings.push(text), error() {} };
    const client = new Client({ path: at, tracker: modelTracker(server), log, busyMs: 50 });
    clients.push(client);
    return client;
  }

  /** A file with a backlog in it that no window has open. */
  async function filled(): Promise<void> {
    const client = window();
    await client.refresh();
    client.close();
  }

  async function assertSetAside(): Promise<void> {
    const client = window();
    assert.equal(await client.paint(), undefined);
    assert.deepEqual(await client.refresh(), server.truth(1, 5));
    assert.match(warnings.join('\n'), /set aside/);
    assert.equal(client.file.isKept, true);
    client.close();
    assert.deepEqual(await window().paint(), server.truth(1, 5));
    const names = await readdir(join(folder, 'state'));
    assert.ok(
      names.some((name) => /^replica\.sqlite\.unreadable-\d{4}-\d\d-\d\dT/.test(name)),
      names.join(),
    );
  }

  async function assertWorksUnkept(client: Client): Promise<void> {
    assert.deepEqual(await client.refresh(), server.truth(1, 5));
    assert.deepEqual(await client.paint(), server.truth(1, 5));
    assert.equal(client.file.isKept, false);
    assert.match(warnings.join('\n'), /nothing is saved for the next start/);
  }

  it('gives after a restart what was read before it, and knows nobody without having asked', async () => {
    assert.equal(await window().paint(), undefined);
    assert.equal(await window().replica.projects(account), undefined);
    const before = window();
    const { projects } = await before.sync.readProjects(account);
    await before.refresh();
    before.close();
    assert.deepEqual((await window().replica.projects(account))?.projects, projects);
    assert.deepEqual(await window().paint(), server.truth(1, 5));
    assert.deepEqual(warnings, []);
  });

  it('is for its owner only', async () => {
    const client = window();
    await client.refresh();
    for (const name of await readdir(join(folder, 'state'))) {
      assert.equal((await stat(join(folder, 'state', name))).mode & 0o077, 0, name);
    }
  });

  it('is set aside when it is garbage, and made anew', async () => {
    await filled();
    await writeFile(path, 'no database at all '.repeat(1000));
    await assertSetAside();
  });

  it('is set aside when its end is missing', async () => {
    await filled();
    await truncate(path, 9000);
    await assertSetAside();
  });

  it('is set aside when a page in its middle is garbage', async () => {
    await filled();
    const bytes = await readFile(path);
    bytes.fill(0xee, 4096, bytes.length - 4096);
    await writeFile(path, bytes);
    await assertSetAside();
  });

  it('is set aside when a later version of the extension has written it', async () => {
    await filled();
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${schemaVersion(database) + 1}`);
    database.close();
    await assertSetAside();
  });

  it('is set aside when it belongs to another program', async () => {
    const other = window(join(folder, 'state', 'other.sqlite'));
    await other.refresh();
    other.close();
    const ours = new DatabaseSync(join(folder, 'state', 'other.sqlite'));
    const version = schemaVersion(ours);
    ours.close();
    const database = new DatabaseSync(path);
    database.exec(`CREATE TABLE bread (name TEXT); PRAGMA user_version = ${version}`);
    database.close();
    await assertSetAside();
  });

  it('is done without while another program holds it', async () => {
    await filled();
    const program = `const { DatabaseSync } = require('node:sqlite');
      new DatabaseSync(process.argv[1]).exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
      process.stdout.write('held'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['-e', program, path], { stdio: ['ignore', 'pipe', 'ignore'] });
    try {
      await once(holder.stdout, 'data');
      await assertWorksUnkept(window());
    } finally {
      holder.kill();
      await once(holder, 'exit');
    }
  });

  it('is used again once it can be written, with what was done in the meantime and without showing what is older', async () => {
    await filled();
    const holder = new DatabaseSync(path);
    holder.exec('BEGIN IMMEDIATE');
    let now = Date.now() + 1000;
    const client = new Client({ path, tracker: modelTracker(server), busyMs: 0, now: () => now });
    clients.push(client);
    server.create(1, false);
    assert.deepEqual(await client.refresh(), server.truth(1, 5));
    const stories = new StoredActiveStories(client.file);
    await stories.set('/bakery', { accountId: 'ada', projectId: 1, storyId: 7 });
    client.file.change((database) => rememberLinked(database, account, 'c0ffee', [{ projectId: 1, storyId: 7 }], now));
    now += 4000;
    holder.exec('ROLLBACK');
    holder.close();
    assert.equal((await client.paint())?.project.id, 1);
    assert.equal(client.file.isKept, false, 'it is not tried all the time');
    now += 2000;
    assert.equal(await client.paint(), undefined, 'what the file has is older than what is shown');
    assert.equal(client.file.isKept, true);
    assert.deepEqual(await client.readMoreDone(1), server.truth(1, 6));
    client.close();
    const next = window();
    assert.deepEqual(await next.paint(), server.truth(1, 6));
    assert.equal((await new StoredActiveStories(next.file).get('/bakery'))?.storyId, 7);
    assert.deepEqual(
      (await new StoredLinkedCommits(next.file).linked()).map(({ hash }) => hash),
      ['c0ffee'],
    );
  });

  it('is used again when its disk is full no more', async () => {
    let now = Date.now() + 1000;
    const client = new Client({ path, tracker: modelTracker(server), busyMs: 0, now: () => now });
    clients.push(client);
    await client.refresh();
    client.file.run((database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA max_page_count = 1'));
    for (let index = 0; index < 300; index++) server.create(1, false);
    assert.deepEqual(await client.refresh(1, { isAskedFor: true }), server.truth(1, 5));
    assert.equal(client.file.isKept, false);
    now += 60_000;
    assert.deepEqual(await client.refresh(1, { isAskedFor: true }), server.truth(1, 5));
    assert.equal(client.file.isKept, true);
    client.close();
    assert.deepEqual(await window().paint(), server.truth(1, 5));
  });

  it('is done without where no folder can be made', async () => {
    await writeFile(join(folder, 'state'), 'a file where the folder is to be');
    await assertWorksUnkept(window());
  });

  it('is done without where a folder is in its place', async () => {
    await mkdir(path, { recursive: true });
    await assertWorksUnkept(window());
  });

  it('is done without in a folder that may only be read', async function () {
    // To root every folder can be written.
    if (process.getuid?.() === 0) this.skip();
    await chmod(folder, 0o555);
    await assertWorksUnkept(window());
  });

  it('brings an empty file up to date although two windows do so at once', async () => {
    const [one, other] = [window(), window()];
    const shown = await Promise.all([one.refresh(), other.refresh()]);
    assert.deepEqual(shown, [server.truth(1, 5), server.truth(1, 5)]);
    assert.deepEqual(warnings, []);
  });

  it('holds nothing of an account that signed out or moved to another address', async () => {
    const client = window();
    await client.sync.readProjects(account);
    await client.refresh();
    const moved = { ...account, address: 'https://elsewhere.example' };
    assert.equal(await client.replica.projects(moved), undefined);
    assert.equal(await client.replica.backlog({ ...moved, projectId: 1 }, {}), undefined);
    await client.replica.keepAccounts([account]);
    assert.ok(await client.replica.projects(account));
    await client.replica.keepAccounts([{ ...account, accountId: 'ben' }]);
    assert.equal(await client.replica.projects(account), undefined);
    client.close();
    const database = new DatabaseSync(path);
    for (const table of ['account', 'project', 'backlog', 'story']) {
      assert.equal(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n, 0, table);
    }
    database.close();
  });

  it('takes over no list of projects that came after its account had signed out', async () => {
    const client = window();
    await client.sync.readProjects(account);
    const pass = async () => client.replica.keepAccounts([]);
    const late = new Client({ path, tracker: modelTracker(server, pass) });
    clients.push(late);
    await late.sync.readProjects(account);
    assert.equal(await client.replica.projects(account), undefined);
  });

  it('takes over no answer that came after its account had signed out', async () => {
    const client = window();
    await client.refresh();
    const pass = async () => client.replica.keepAccounts([]);
    const late = new Client({ path, tracker: modelTracker(server, pass) });
    clients.push(late);
    await assert.rejects(late.refresh(), /You are not signed in/);
    assert.equal(await client.replica.backlog({ ...account, projectId: 1 }, {}), undefined);
    const accounts = client.file.run((database) => database.prepare('SELECT address FROM account').all());
    assert.deepEqual(accounts, []);
  });
});
