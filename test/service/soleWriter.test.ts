import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Database } from '../../src/service/store/database.ts';
import { addUser } from '../../src/service/store/people/users.ts';
import { openPostgres } from '../../src/service/store/postgres/openPostgres.ts';
import { lockOfChange, WriterLocks } from '../../src/service/store/postgres/writerLocks.ts';
import { eventually } from '../support/eventually.ts';
import { databaseOf, describeOnPostgres, dropDatabaseOf, queryDatabase } from './support/testDatabase.ts';
import { temporaryFolder } from './support/testService.ts';

const PACE = { look: 20, trust: 300, rest: 100 };
const PATIENCE = 5_000;

describeOnPostgres('A process that writes alone', () => {
  let folder: string;
  let address: string;
  let opened: Database[];

  beforeEach(async () => {
    folder = await temporaryFolder();
    address = (await databaseOf(folder)).database ?? '';
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((store) => store.close()));
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });

  async function open(): Promise<Database> {
    const store = await openPostgres(address, { lockPatience: PATIENCE, pace: PACE });
    opened.push(store);
    return store;
  }

  async function close(store: Database): Promise<void> {
    opened = opened.filter((one) => one !== store);
    await store.close();
  }

  let people = 0;
  const change = (store: Database) => {
    people += 1;
    const email = `ada${people}@example.org`;
    return store.write((tx) => addUser(tx, { name: 'Ada', email }, Date.now()));
  };
  const isAlone = (store: Database) => {
    const stamp = store.stamp();
    if (typeof stamp === 'object') stamp.catch(() => undefined);
    return typeof stamp === 'string';
  };
  const alone = (store: Database) => eventually(() => assert.ok(isAlone(store)));

  it('knows without asking whether anything changed, and tells of its own changes at once', async () => {
    const store = await open();
    await alone(store);
    for (let count = 0; count < 50; count += 1) {
      const before = await store.stamp();
      await change(store);
      assert.notEqual(await store.stamp(), before);
    }
    await alone(store);
  });

  it('is not alone for as long as there is another, and sees each of its changes', async () => {
    const store = await open();
    for (let round = 0; round < 5; round += 1) {
      await alone(store);
      const other = await open();
      for (let count = 0; count < 20; count += 1) {
        const before = await store.stamp();
        await change(other);
        assert.notEqual(await store.stamp(), before);
        await change(store);
      }
      await wait(3 * PACE.rest);
      assert.deepEqual([isAlone(store), isAlone(other)], [false, false]);
      await close(other);
    }
  });

  it('is one of three that change and ask all the time, each change of which is seen by all at once', async () => {
    let stores = [await open(), await open(), await open()];
    const until = Date.now() + 4_000;
    let seen = 0;
    while (Date.now() < until) {
      const [writer] = stores.toSorted(() => Math.random() - 0.5);
      assert.ok(writer);
      const before = await Promise.all(stores.map((store) => store.stamp()));
      await change(writer);
      const after = await Promise.all(stores.map((store) => store.stamp()));
      for (const [index, stamp] of after.entries()) assert.notEqual(stamp, before[index]);
      seen += 1;
      if (Math.random() < 0.05) {
        const [leaving, ...staying] = stores.toSorted(() => Math.random() - 0.5);
        assert.ok(leaving);
        await close(leaving);
        // Now and then one is left, and alone for a while.
        if (staying.length === 1 || Math.random() < 0.5) await wait(Math.random() * 6 * PACE.rest);
        stores = staying.length < 2 ? [...staying, await open()] : staying;
      }
    }
    assert.ok(seen > 20, `${seen} changes`);
  });

  it('is no longer once its session is taken away, and another that comes then waits for nothing', async () => {
    const store = await open();
    await alone(store);
    await queryDatabase(
      address,
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid <> pg_backend_pid()`,
    );
    const other = await open();
    const before = await store.stamp();
    await change(other);
    assert.notEqual(await store.stamp(), before);
    await change(store);
    await close(other);
    await alone(store);
  });

  it('waits for changes that others began before, and makes its own in the meantime', async () => {
    const other = await open();
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const slow = other.write(async (tx) => {
      await addUser(tx, { name: 'Slow', email: 'slow@example.org' }, Date.now());
      await finished;
    });
    const store = await open();
    await wait(5 * PACE.rest);
    assert.equal(isAlone(store), false);
    await change(store);
    finish();
    await slow;
    await close(other);
    await alone(store);
  });

  it('is found out by the server when a change begins, however late that arrives there', async () => {
    const [own, others] = [4_711, 4_712];
    const locks = await WriterLocks.join({ connectionString: address }, own, () => undefined);
    const late = (name: number) => queryDatabase(address, `set lock_timeout = 100; ${lockOfChange(name)}`);
    await late(own);
    assert.ok(await locks.holdAlone());
    await late(own);
    await assert.rejects(late(others), /lock timeout/);
    await locks.share();
    await late(others);
    await locks.end();
  });

  it('stays so when the server refuses a change', async () => {
    const store = await open();
    await alone(store);
    const nobody = { projectId: 4_711, userId: 4_711, role: 'Member' } as const;
    const refused = store.write(async (tx) => void (await tx.insertInto('memberships').values(nobody).execute()));
    await assert.rejects(refused, /foreign key/);
    assert.ok(isAlone(store));
  });

  it('sees soon what another program changed', async () => {
    const store = await open();
    await alone(store);
    const before = store.stamp();
    await queryDatabase(address, `update users set "name" = 'Bo'`);
    await queryDatabase(address, `insert into "schemaVersions" values (4711, 'of another program', 0)`);
    await eventually(() => assert.notEqual(store.stamp(), before));
    await queryDatabase(address, `delete from "schemaVersions" where number = 4711`);
  });

  it('gives way though it is changing something all the time', async () => {
    const store = await open();
    await alone(store);
    let isGoingOn = true;
    const busy = (async () => {
      while (isGoingOn) await change(store);
    })();
    const other = await open();
    await change(other);
    isGoingOn = false;
    await busy;
    assert.equal(isAlone(store), false);
  });

  it('holds up nobody for long when it hangs, and knows when it goes on that others may have changed something', async () => {
    const signal = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { address, patience: PATIENCE, pace: PACE, signal };
    const hanging = new Worker(new URL('support/hangingStore.ts', import.meta.url), { workerData });
    const ended = once(hanging, 'exit');
    assert.deepEqual(await once(hanging, 'message'), ['alone']);
    const other = await open();
    await change(other);
    const said = once(hanging, 'message');
    Atomics.store(signal, 0, 1);
    Atomics.notify(signal, 0);
    assert.deepEqual(await said, ['object']);
    await ended;
    await change(other);
  });
});
