import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { DeliveryFailure, type JobHandler } from '../../src/service/queue/jobHandler.ts';
import { JobWorkers, wakingDatabase } from '../../src/service/queue/jobWorkers.ts';
import type { Database } from '../../src/service/store/database.ts';
import { claimJobs, finishJob, mendMoments } from '../../src/service/store/jobs/claimedJobs.ts';
import { addJob, discardJobs, type Job, retryJobs } from '../../src/service/store/jobs/queues.ts';
import { openStore } from '../../src/service/store/openStore.ts';
import { eventually } from '../support/eventually.ts';
import { databaseOf, dropDatabaseOf } from './support/testDatabase.ts';
import { temporaryFolder } from './support/testService.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** So long that nothing is done for that reason. */
const NEVER = 3_600_000;

const LEASE = 15_000;

describe('the queue of deliveries', () => {
  let folder: string;
  let stores: Database[];
  let workers: JobWorkers[];
  let events: ServiceEvent[];
  let now: number;

  beforeEach(async () => {
    folder = await temporaryFolder();
    [stores, workers, events] = [[], [], []];
    now = 1_800_000_000_000;
  });
  afterEach(async () => {
    await Promise.all(workers.map((each) => each.stop()));
    await Promise.all(stores.map((each) => each.close()));
    await rm(folder, { recursive: true, force: true });
    await dropDatabaseOf(folder);
  });

  /** What a process has: a store of its own on the same data, and workers that a commit through it wakes. */
  async function process(handle: JobHandler, { pace = NEVER, patience = NEVER, atOnce = 8 } = {}) {
    const { database: store } = await openStore(folder, await databaseOf(folder));
    stores.push(store);
    const database = wakingDatabase(store, () => own.wake());
    const own = new JobWorkers({
      ...{
        database,
        pace,
        patience,
        lease: LEASE,
        clock: () => now,
        random: () => 0,
        log: (event) => events.push(event),
      },
      kinds: [{ kind: 'web_hook', handle, atOnce }],
    });
    workers.push(own);
    own.start();
    return { database, stop: () => own.stop(), wake: () => own.wake() };
  }

  async function store(): Promise<Database> {
    const { database } = await openStore(folder, await databaseOf(folder));
    stores.push(database);
    return database;
  }

  const add = (database: Database, key: string, ...payloads: readonly unknown[]) =>
    database.write(async (tx) => {
      for (const payload of payloads) await addJob(tx, { kind: 'web_hook', key, payload }, now);
    });

  const jobs = (database: Database) => database.read((tx) => tx.selectFrom('jobs').selectAll().orderBy('id').execute());

  const attempted = (database: Database, times: number) =>
    eventually(async () => assert.equal((await jobs(database))[0]?.attempts, times));

  it('does what was committed, at once, in the order of each key', async () => {
    const done: string[] = [];
    const { database } = await process(async ({ key, payload }) => {
      await wait(1);
      done.push(`${key}${payload}`);
    });
    await add(database, 'a', 1, 2, 3);
    await add(database, 'b', 1, 2);
    await add(database, 'a', 4);
    await eventually(() => assert.equal(done.length, 6));
    assert.deepEqual(
      done.filter((one) => one.startsWith('a')),
      ['a1', 'a2', 'a3', 'a4'],
    );
    assert.deepEqual(
      done.filter((one) => one.startsWith('b')),
      ['b1', 'b2'],
    );
    await eventually(async () => assert.deepEqual(await jobs(database), []));
  });

  it('knows nothing of what was rolled back', async () => {
    const done: unknown[] = [];
    const { database } = await process(async ({ payload }) => void done.push(payload));
    const failed = database.write(async (tx) => {
      await addJob(tx, { kind: 'web_hook', key: 'a', payload: 'never' }, now);
      throw new Error('Something else went wrong.');
    });
    await assert.rejects(failed, /Something else/);
    await add(database, 'a', 'this');
    await eventually(() => assert.deepEqual(done, ['this']));
  });

  it('has one of a key under way, several keys side by side, and no more than it may', async () => {
    const open = new Map<string, () => void>();
    const { database } = await process(({ key }) => new Promise((resolve) => open.set(key, resolve)), { atOnce: 2 });
    for (const key of ['a', 'b', 'c']) await add(database, key, 1, 2);
    await eventually(() => assert.deepEqual([...open.keys()].sort(), ['a', 'b']));
    await wait(50);
    assert.equal(open.size, 2);
    now += 1;
    open.get('a')?.();
    await eventually(() => assert.ok(open.has('c')));
    for (let left = 6; left > 0; left = (await jobs(database)).length) {
      for (const resolve of open.values()) resolve();
      await wait(5);
    }
  });

  it('holds up the key of a job that fails and no other, and tries it again under the same id', async () => {
    const tried: Job[] = [];
    const isDown = { is: true };
    const { database, wake } = await process(async (job) => {
      tried.push(job);
      if (job.key === 'down' && isDown.is) throw new DeliveryFailure('It is down.');
    });
    await add(database, 'down', 1, 2);
    await add(database, 'up', 1, 2);
    await eventually(() => assert.equal(tried.filter(({ key }) => key === 'up').length, 2));
    await eventually(async () => assert.equal((await jobs(database))[0]?.lastError, 'It is down.'));
    const [first] = tried.filter(({ key }) => key === 'down');
    isDown.is = false;
    now += 1_000;
    wake();
    await eventually(async () => assert.deepEqual(await jobs(database), []));
    const down = tried.filter(({ key }) => key === 'down');
    assert.deepEqual(
      down.map(({ payload, attempts }) => [payload, attempts]),
      [
        [1, 0],
        [1, 1],
        [2, 0],
      ],
    );
    assert.equal(down[1]?.deliveryId, first?.deliveryId);
    assert.notEqual(down[2]?.deliveryId, first?.deliveryId);
  });

  it('parks after a day of failures what is a day old, and goes on with the next', async () => {
    const tried: unknown[] = [];
    const { database, wake } = await process(async ({ payload }) => {
      tried.push(payload);
      throw new DeliveryFailure(`No to ${payload}.`);
    });
    await add(database, 'a', 'old', 'older than it seems');
    await attempted(database, 1);
    for (let hours = 1; hours < 24; hours += 1) {
      now += HOUR;
      wake();
      await attempted(database, hours + 1);
    }
    now += HOUR - 1;
    await add(database, 'a', 'young');
    assert.equal(tried.length, 24);
    now += 1;
    wake();
    await eventually(async () => assert.equal((await jobs(database))[2]?.attempts, 1));
    const rows = await jobs(database);
    assert.deepEqual(
      rows.map(({ parkedAt, lastError }) => [parkedAt === null, lastError]),
      [
        [false, 'No to "old".'.replaceAll('"', '')],
        [false, 'No to older than it seems.'],
        [true, 'No to young.'],
      ],
    );
    assert.deepEqual(
      events.map(({ event }) => event),
      [...Array(24).fill('deliveryFailed'), 'deliveryParked', 'deliveryParked', 'deliveryFailed'],
    );
  });

  it('begins its pauses and its day anew once a job is done', async () => {
    const begun = now;
    const answers = ['no', 'no', 'yes', 'no'];
    const { database, wake } = await process(async () => {
      if (answers.shift() === 'no') throw new DeliveryFailure('Not now.');
    });
    await add(database, 'a', 'first', 'second');
    await attempted(database, 1);
    now += 1_000;
    wake();
    await attempted(database, 2);
    now += 2_000;
    wake();
    await eventually(() => assert.equal(events.length, 3));
    assert.deepEqual(
      events.map(({ failures, again }) => [failures, Date.parse(String(again)) - begun]),
      [
        [1, 1_000],
        [2, 3_000],
        [1, 4_000],
      ],
    );
    const [queue] = await database.read((tx) => tx.selectFrom('queues').select('failingSince').execute());
    assert.equal(queue?.failingSince, now);
  });

  it('counts no time in which nobody was there to try, as over a weekend', async () => {
    const { database, wake } = await process(async () => {
      throw new DeliveryFailure('It is down.');
    });
    await add(database, 'a', 1);
    await attempted(database, 1);
    now += 2 * DAY;
    for (let attempts = 2; attempts < 26; attempts += 1) {
      wake();
      await attempted(database, attempts);
      assert.equal((await jobs(database))[0]?.parkedAt, null);
      now += HOUR;
    }
    wake();
    await eventually(async () => assert.equal((await jobs(database))[0]?.parkedAt, now));
  });

  it('tries again what was parked when asked to, in the old order, and forgets what is discarded', async () => {
    const done: unknown[] = [];
    const isDown = { is: true };
    const { database } = await process(async ({ payload }) => {
      if (isDown.is) throw new DeliveryFailure('It is down.', { isFinal: true });
      done.push(payload);
    });
    await add(database, 'a', 1, 2, 3, 4);
    await add(database, 'b', 'other');
    const parked = await eventually(async () => {
      const rows = await jobs(database);
      assert.ok(rows.every(({ parkedAt }) => parkedAt !== null));
      return rows;
    });
    assert.equal(await database.write((tx) => discardJobs(tx, parked[1]?.id ?? 0, now)), 1);
    isDown.is = false;
    assert.equal(await database.write((tx) => retryJobs(tx, parked[2]?.id ?? 0, now)), 1);
    await eventually(() => assert.deepEqual(done, [3]));
    assert.equal(await database.write((tx) => retryJobs(tx, 999_999, now)), 0);
    assert.equal(await database.write((tx) => retryJobs(tx, 'all', now)), 3);
    await eventually(() => assert.equal(done.length, 4));
    assert.deepEqual(
      done.filter((payload) => payload !== 'other'),
      [3, 1, 4],
    );
    assert.equal(await database.write((tx) => discardJobs(tx, 'allParked', now)), 0);
  });

  it('tries again at once what is asked for while an attempt is under way that then fails', async () => {
    let fail: (() => void) | undefined;
    let attempts = 0;
    const { database, wake } = await process(() => {
      attempts += 1;
      if (attempts < 3) throw new DeliveryFailure('It is down.');
      if (attempts > 3) return Promise.resolve();
      return new Promise((_, reject) => {
        fail = () => reject(new DeliveryFailure('It is still down.'));
      });
    });
    await add(database, 'a', 1);
    for (const pause of [1_000, 2_000]) {
      await attempted(database, pause / 1_000);
      now += pause;
      wake();
    }
    await eventually(() => assert.ok(fail));
    await database.write((tx) => retryJobs(tx, 'all', now));
    fail?.();
    await eventually(async () => assert.deepEqual(await jobs(database), []));
  });

  it('gives the next its turn when the one that failed is discarded', async () => {
    const done: unknown[] = [];
    const { database } = await process(async ({ payload }) => {
      if (payload === 'bad') throw new DeliveryFailure('It is bad.');
      done.push(payload);
    });
    await add(database, 'a', 'bad', 'good');
    const [bad] = await eventually(async () => {
      const rows = await jobs(database);
      assert.equal(rows[0]?.attempts, 1);
      return rows;
    });
    await database.write((tx) => discardJobs(tx, bad?.id ?? 0, now));
    await eventually(() => assert.deepEqual(done, ['good']));
  });

  it('parks at once what will never do, and keeps no words of an unexpected failure', async () => {
    const { database } = await process(async ({ payload }) => {
      if (payload === 'never') throw new DeliveryFailure('There is nobody.', { isFinal: true });
      throw new TypeError('The secret is a-very-own-word.');
    });
    await add(database, 'a', 'never', 'odd');
    await eventually(async () => assert.equal((await jobs(database))[1]?.attempts, 1));
    const [never, odd] = await jobs(database);
    assert.deepEqual([never?.parkedAt, never?.lastError], [now, 'There is nobody.']);
    assert.deepEqual([odd?.parkedAt, odd?.lastError], [null, 'It failed unexpectedly (TypeError).']);
    assert.doesNotMatch(JSON.stringify(events), /a-very-own-word/);
  });

  it('gives each job to one of several processes, in order', async () => {
    const done: { key: string; payload: unknown }[] = [];
    const handle = async ({ key, payload }: Job) => {
      await wait(Math.random() * 3);
      done.push({ key, payload });
    };
    const processes = await Promise.all([0, 1, 2].map(() => process(handle, { pace: 20 })));
    const keys = ['a', 'b', 'c', 'd'];
    await Promise.all(
      keys.map(async (key, index) => {
        for (let payload = 0; payload < 15; payload += 1) {
          const { database } = processes[(index + payload) % 3] ?? assert.fail();
          await add(database, key, payload);
        }
      }),
    );
    await eventually(() => assert.ok(done.length >= 60));
    await wait(50);
    for (const key of keys) {
      assert.deepEqual(
        done.filter((one) => one.key === key).map(({ payload }) => payload),
        Array.from({ length: 15 }, (_, index) => index),
      );
    }
    assert.deepEqual(events, []);
  });

  it('takes over from a process that says nothing more, which then changes nothing', async () => {
    const dead = await store();
    await add(dead, 'a', 1, 2);
    const [claimed] = await claimJobs(dead, 'web_hook', 1, { now, lease: LEASE });
    assert.ok(claimed);
    const done: unknown[] = [];
    const { wake, stop } = await process(async ({ payload }) => void done.push(payload));
    assert.deepEqual(await claimJobs(dead, 'web_hook', 1, { now, lease: LEASE }), []);
    now += LEASE - 1;
    wake();
    await wait(50);
    assert.deepEqual(done, []);
    now += 1;
    wake();
    await eventually(() => assert.deepEqual(done, [1, 2]));
    await stop(); // While it strikes off the last of those that were done, it would see the next.
    await add(dead, 'a', 3);
    assert.equal(await finishJob(dead, claimed, now), false);
    assert.deepEqual(
      (await jobs(dead)).map(({ payload }) => payload),
      ['3'],
    );
  });

  describe('after a clock that was ahead for a while', () => {
    const right = () => now;

    for (const hours of [2, 30, 300 * 24]) {
      it(`goes on with what was queued ${hours} hours ahead`, async () => {
        const begun = right();
        const other = await store();
        now = begun + hours * HOUR;
        await add(other, 'a', 'queued');
        now = begun;
        const done: unknown[] = [];
        const { database } = await process(async ({ payload }) => void done.push(payload));
        await eventually(() => assert.deepEqual(done, ['queued']));
        await add(database, 'a', 'in time');
        await eventually(() => assert.deepEqual(done, ['queued', 'in time']));
      });

      it(`tries again what failed ${hours} hours ahead, and for a day`, async () => {
        const begun = right();
        const isDown = { is: true };
        const { database, wake } = await process(async () => {
          if (isDown.is) throw new DeliveryFailure('It is down.', { restFor: 50 * DAY });
        });
        now = begun + hours * HOUR;
        await add(database, 'a', 'one');
        await attempted(database, 1);
        now = begun;
        wake();
        await eventually(async () => {
          const [queue] = await database.read((tx) => tx.selectFrom('queues').selectAll().execute());
          assert.ok(Number(queue?.dueAt) <= begun + HOUR, String(queue?.dueAt));
        });
        isDown.is = false;
        now = begun + HOUR;
        wake();
        await eventually(async () => assert.deepEqual(await jobs(database), []));
      });

      it(`takes over what was claimed ${hours} hours ahead`, async () => {
        const dead = await store();
        await add(dead, 'a', 'claimed');
        assert.equal((await claimJobs(dead, 'web_hook', 1, { now: now + hours * HOUR, lease: LEASE })).length, 1);
        const done: unknown[] = [];
        const { wake } = await process(async ({ payload }) => void done.push(payload));
        await wait(50);
        assert.deepEqual(done, []);
        now += 60_000;
        wake();
        await eventually(() => assert.deepEqual(done, ['claimed']));
      });

      it(`does once what was under way when the clock was put back by ${hours} hours`, async () => {
        const done: unknown[] = [];
        const begun = now;
        now += hours * HOUR;
        let finish = (): void => undefined;
        const { database, wake } = await process(async ({ payload }) => {
          done.push(payload);
          await new Promise<void>((resolve) => (finish = resolve));
        });
        await add(database, 'a', 'under way');
        await eventually(() => assert.deepEqual(done, ['under way']));
        now = begun;
        wake();
        await process(async ({ payload }) => void done.push(payload));
        await wait(50);
        finish();
        await eventually(async () => assert.deepEqual(await jobs(database), []));
        assert.deepEqual(done, ['under way']);
      });
    }

    it('lets mails wait for their turn that are to wait, and leases be that are not over', async () => {
      const database = await store();
      await database.write(async (tx) => {
        const mail = (key: string, queuedAt: number, dueAt: number) =>
          addJob(tx, { kind: 'mail', key, payload: key }, queuedAt, dueAt);
        await mail('in its turn', now, now + 23 * HOUR);
        await mail('ahead by an hour', now + HOUR, now + 2 * HOUR);
        await mail('ahead by a second', now + 1_000, now + 1_000);
        await mail('beyond any turn', now, now + 25 * HOUR);
      });
      await add(database, 'held', 1);
      await claimJobs(database, 'web_hook', 1, { now, lease: LEASE });
      await mendMoments(database, { now, lease: LEASE }, []);
      const rows = await database.read((tx) => tx.selectFrom('queues').selectAll().execute());
      const found = Object.fromEntries(
        rows.map(({ key, dueAt, leaseEnd }) => [key, [dueAt - now, leaseEnd && leaseEnd - now]]),
      );
      assert.deepEqual(found, {
        'in its turn': [23 * HOUR, 0],
        'ahead by an hour': [0, 0],
        'ahead by a second': [1_000, 0],
        'beyond any turn': [0, 0],
        held: [0, LEASE],
      });
    });
  });

  it('finds by itself what another process has queued', async () => {
    const done: unknown[] = [];
    await process(async ({ payload }) => void done.push(payload), { pace: 20 });
    await add(await store(), 'a', 'from elsewhere');
    await eventually(() => assert.deepEqual(done, ['from elsewhere']));
  });

  it('stops after what is under way, or breaks it off and leaves it as it was', async () => {
    const begun: unknown[] = [];
    const stubborn: JobHandler = ({ payload }, signal) => {
      begun.push(payload);
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const first = await process(stubborn, { patience: 10 });
    await add(first.database, 'a', 1, 2);
    await eventually(() => assert.deepEqual(begun, [1]));
    await first.stop();
    const left = await jobs(first.database);
    assert.deepEqual(
      left.map(({ attempts, lastError }) => [attempts, lastError]),
      [
        [0, null],
        [0, null],
      ],
    );
    const done: unknown[] = [];
    const second = await process(async ({ payload }) => {
      await wait(30);
      done.push(payload);
    });
    await eventually(() => assert.ok(done.length >= 1));
    await second.stop();
    assert.equal((await jobs(second.database)).length, 2 - done.length);
  });
});
