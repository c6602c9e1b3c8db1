import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { isStoreUnavailable } from '../../src/service/ground/errors.ts';
import { insertActivity } from '../../src/service/store/activities.ts';
import { counterValue, lockedCounters, setCounters } from '../../src/service/store/counters.ts';
import type { Database, Tx } from '../../src/service/store/database.ts';
import { openStore } from '../../src/service/store/openStore.ts';
import { addProject } from '../../src/service/store/projects/projects.ts';
import { tellWebHook } from '../../src/service/store/projects/webHook.ts';
import { databaseOf, describeOnPostgres, dropDatabaseOf, queryDatabase } from './support/testDatabase.ts';
import { temporaryFolder } from './support/testService.ts';

const PROCESSES = 3;
const PATIENCE = 2_000;
/** Changes at a time in each. */
const LANES = 4;
const CHANGES = 12;
/** At least, of all changes. */
const ENDED = 4;

describeOnPostgres('versions of changes that several processes make', () => {
  let folder: string;
  let address: string;
  let stores: readonly Database[];
  let projects: readonly number[];

  before(async () => {
    folder = await temporaryFolder();
    address = (await databaseOf(folder)).database ?? '';
    const open = async () => (await openStore(folder, { database: address, lockPatience: PATIENCE })).database;
    stores = [await open(), await open(), await open()];
    projects = await Promise.all(
      Array.from({ length: PROCESSES * LANES }, (_, index) =>
        storeAt(index).write(async (tx) => (await addProject(tx, `Project ${index}`, {}, 0)).id),
      ),
    );
  });
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });

  function storeAt(index: number): Database {
    const store = stores[index % PROCESSES];
    assert.ok(store);
    return store;
  }

  /** Tells the web hook of a project as well. */
  const record = async (tx: Tx, lane: number, description: string): Promise<void> => {
    const id = projects[lane] ?? 0;
    const activity = { projectId: id, eventType: 'note_create', occurredAt: 1_000 + lane, description, stories: [] };
    const recorded = await insertActivity(tx, { ...activity, author: 'Ada', authorId: null });
    await tellWebHook(tx, { id, webHookUrl: 'https://example.org/' }, recorded, 1_000);
  };

  const newer = (store: Database, version: number) =>
    store.read((tx) =>
      tx
        .selectFrom('activities')
        .select(['id', 'version', 'projectId', 'description'])
        .where('version', '>', version)
        .orderBy('version')
        .execute(),
    );

  const hookJobs = (projectId: number) =>
    storeAt(2).read((tx) =>
      tx
        .selectFrom('jobs')
        .select('payload')
        .where('kind', '=', 'web_hook')
        .where('key', '=', String(projectId))
        .orderBy('id')
        .execute(),
    );

  const newestVersion = async () => (await newer(storeAt(0), 0)).at(-1)?.version ?? 0;

  it('are given in the order of commits: a change that stops on its way holds up none of the others', async () => {
    const before = await newestVersion();
    const [recorded, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stopped = storeAt(0).write(async (tx) => {
      await record(tx, 0, 'first begun');
      await record(tx, 0, 'second of it');
      recorded.resolve();
      await gate.promise;
    });
    await recorded.promise;
    await storeAt(1).write((tx) => record(tx, 1, 'begun later'));
    gate.resolve();
    await stopped;
    const found = await newer(storeAt(2), before);
    assert.deepEqual(
      found.map(({ version, description }) => [version - before, description]),
      [
        [1, 'begun later'],
        [2, 'first begun'],
        [3, 'second of it'],
      ],
    );
  });

  it('rise with the ids of activities, each of which the web hook is told of', async () => {
    const before = await newestVersion();
    await storeAt(0).write((tx) => tx.deleteFrom('jobs').execute());
    const several = projects.map((_, lane) => async () => {
      for (let count = 0; count < 5; count += 1) {
        await storeAt(lane).write(async (tx) => {
          for (const each of ['one', 'two', 'three']) await record(tx, lane, each);
        });
      }
    });
    await Promise.all(several.map((make) => make()));
    const made = await newer(storeAt(1), before);
    assert.deepEqual(
      made.map(({ version }) => version),
      made.map((_, index) => before + 1 + index),
    );
    const ids = made.map(({ id }) => id);
    assert.equal(ids.length, 15 * projects.length);
    assert.deepEqual(
      ids,
      ids.toSorted((one, two) => one - two),
    );
    for (const id of projects) {
      assert.deepEqual(
        (await hookJobs(id)).map(({ payload }) => payload),
        made.filter(({ projectId }) => projectId === id).map((activity) => `{"activityId":${activity.id}}`),
      );
    }
  });

  it('are taken by no change that waits too long for its turn, which is refused as one of which nothing was done', async () => {
    const before = await newestVersion();
    await holdingCounter(async () => {
      const refused = storeAt(0).write((tx) => record(tx, 0, 'never'));
      await assert.rejects(refused, (error) => isStoreUnavailable(error) && /Nothing was changed/.test(error.message));
    });
    await storeAt(0).write((tx) => record(tx, 0, 'next'));
    assert.deepEqual(
      (await newer(storeAt(1), before)).map(({ version, description }) => [version, description]),
      [[before + 1, 'next']],
    );
  });

  it('are taken by no change of which an earlier statement failed unheard, and which is told that nothing was done', async () => {
    const before = await newestVersion();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>();
    const holding = storeAt(1).write(async (tx) => {
      await tx.updateTable('queues').set({ failures: 0 }).where('key', '=', String(projects[0])).execute();
      held();
      await isOver;
    });
    await isHeld;
    // The queue of its web hook is asked for, and its answer not waited for before the commit.
    const refused = storeAt(0)
      .write((tx) => record(tx, 0, 'never'))
      .finally(end);
    await assert.rejects(refused, (error) => isStoreUnavailable(error) && /Nothing was changed/.test(error.message));
    await holding;
    assert.deepEqual(await newer(storeAt(1), before), []);
  });

  it('leave a counter that a change reads and then sets to it until its end', async () => {
    const name = 'mailsOfPerson:1';
    const count = async (tx: Tx) => {
      const known = await lockedCounters(tx, [name]);
      await setCounters(tx, new Map([[name, (known.get(name) ?? 0) + 1]]));
    };
    await Promise.all(Array.from({ length: 24 }, (_, index) => storeAt(index).write(count)));
    assert.equal(await storeAt(0).read((tx) => counterValue(tx, name)), 24);
  });

  it('reach all who follow in order, none skipped, while sessions of the processes are ended again and again', async () => {
    const start = await newestVersion();
    const acknowledged: string[] = [];
    let refused = 0;
    let isOver = false;
    const follow = async (store: Database) => {
      const seen: { readonly version: number; readonly description: string }[] = [];
      for (let last = false; !last; ) {
        last = isOver;
        const known = [...acknowledged];
        const rows = await newer(store, seen.at(-1)?.version ?? start).catch(() => undefined);
        if (!rows) continue;
        seen.push(...rows);
        const told = new Set(seen.map(({ description }) => description));
        assert.deepEqual(
          known.filter((each) => !told.has(each)),
          [],
          'older than acknowledged',
        );
      }
      return seen;
    };
    const following = stores.map(follow);
    const ending = (async () => {
      while (!isOver) await queryDatabase(address, END_ONE);
    })();
    await Promise.all(
      projects.map(async (_, lane) => {
        for (let count = 0; count < CHANGES || refused < ENDED; count += 1) {
          const what = `${lane}.${count}`;
          const made = storeAt(lane).write((tx) => record(tx, lane, what));
          await made.then(
            () => acknowledged.push(what),
            (error: unknown) => {
              assert.ok(isStoreUnavailable(error), String(error));
              refused += 1;
            },
          );
        }
      }),
    );
    isOver = true;
    await ending;
    const all = await newer(storeAt(0), start);
    for (const seen of await Promise.all(following)) assert.deepEqual(seen, all);
    const made = all.map(({ description }) => description);
    assert.equal(new Set(made).size, made.length);
    assert.deepEqual(
      acknowledged.filter((what) => !made.includes(what)),
      [],
    );
    assert.deepEqual(
      all.map(({ version }) => version),
      all.map((_, index) => start + 1 + index),
    );
  });

  /** As long as it takes, by someone else than the service. */
  async function holdingCounter(work: () => Promise<void>): Promise<void> {
    let held: Promise<unknown> | undefined;
    const hold = `begin; update counters set value = value where name = 'activityVersion'; select pg_sleep(3); rollback`;
    const isHeld = `select pid from pg_stat_activity where query like 'begin; update counters%' and wait_event = 'PgSleep'`;
    try {
      held = queryDatabase(address, hold);
      while ((await queryDatabase(address, isHeld)).length === 0);
      await work();
    } finally {
      await held;
    }
  }
});

/** Of those that have changed something and not yet committed it. */
const END_ONE = `select pg_terminate_backend(pid), pg_sleep(0.02) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and backend_xid is not null order by random() limit 1`;
