import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../../../../src/service/store/database.ts';
import { openSqlite } from '../../../../../src/service/store/sqlite/openSqlite.ts';
import { Staging } from '../../../../../src/service/transfer/import/staging.ts';
import { temporaryFolder } from '../../../../service/support/testService.ts';

describe('The steps of an import', () => {
  let folder: string;
  let database: Database;
  let staging: Staging;
  before(async () => {
    folder = await temporaryFolder();
    database = await openSqlite(join(folder, 'story-tracker.db'));
  });
  beforeEach(async () => {
    staging = await Staging.begin(database, {});
  });
  afterEach(() => staging.discard());
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  function hold(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    while (performance.now() < end);
  }

  /** A clock that goes on only while something pauses, in which each pause is told and may end late. */
  function clockTelling(onPause: (milliseconds: number) => number) {
    let time = 0;
    const sleep = async (milliseconds: number): Promise<void> => {
      time += onPause(milliseconds);
    };
    return { now: () => time, sleep, pass: (milliseconds: number) => (time += milliseconds) };
  }

  /** The same store, which tells that so many wait for it. */
  function storeAwaitedBy(waiting: () => number): Database {
    return { ...database, pools: () => [{ kind: 'write', most: 1, busy: 1, waiting: waiting() }] };
  }

  it('takes more rows at a time where they are written quickly, and fewer where they are not', async () => {
    const sizes: number[] = [];
    const clock = clockTelling((milliseconds) => milliseconds);
    const paced = await Staging.begin(database, {}, clock);
    const step = async (milliseconds: number): Promise<void> => {
      await paced.step(0, async () => {
        clock.pass(milliseconds);
      });
      sizes.push(paced.rows);
    };
    const first = paced.rows;
    for (let steps = 0; steps < 6; steps += 1) await step(0);
    assert.deepEqual(sizes.slice(0, 2), [2 * first, 4 * first]);
    const most = Math.max(...sizes);
    assert.equal(paced.rows, most, 'bounded');
    await step(60);
    assert.equal(paced.rows, most / 2);
    for (let steps = 0; steps < 6; steps += 1) await step(20);
    assert.equal(paced.rows, first, 'never none');
    await paced.discard();
  });

  it('gives what the work gives, and throws what it throws', async () => {
    assert.equal(await staging.step(0, async () => 'done'), 'done');
    await assert.rejects(
      staging.step(0, async () => {
        throw new Error('broken off');
      }),
      /broken off/,
    );
  });

  it('lets all who wait for the store have it before the next step', async () => {
    const order: string[] = [];
    const others: Promise<unknown>[] = [];
    for (const name of ['first', 'second']) {
      await staging.step(0, async () => {
        order.push(name);
        for (let writer = 0; writer < 5; writer += 1) {
          const work = async (): Promise<void> => {
            hold(5);
            order.push(`after the ${name}`);
          };
          others.push(database.write(work, 'someone'));
        }
      });
    }
    await Promise.all(others);
    const after = (name: string) => Array.from({ length: 5 }, () => `after the ${name}`);
    assert.deepEqual(order, ['first', ...after('first'), 'second', ...after('second')]);
  });

  it('come after each of those who wait has had the store', async () => {
    const order: string[] = [];
    let waiting = 0;
    const clock = clockTelling((milliseconds) => {
      if (waiting > 0) {
        waiting -= 1;
        order.push('other');
      }
      return milliseconds;
    });
    const paced = await Staging.begin(
      storeAwaitedBy(() => waiting),
      {},
      clock,
    );
    for (const others of [7, 0, 3]) {
      await paced.step(0, async () => {
        order.push('step');
        waiting = others;
      });
    }
    const expected = ['step', ...Array<string>(7).fill('other'), 'step', 'step', ...Array<string>(3).fill('other')];
    assert.deepEqual(order, expected);
    await paced.discard();
  });

  it('pause for as long as they took, and longer where pauses end late, as on a busy machine', async () => {
    const pauses: number[] = [];
    let late = 0;
    const clock = clockTelling((milliseconds) => {
      pauses.push(milliseconds);
      return milliseconds + late;
    });
    const paced = await Staging.begin(
      storeAwaitedBy(() => 0),
      {},
      clock,
    );
    const step = async (lateness: number): Promise<void> => {
      late = lateness;
      await paced.step(0, async () => {
        clock.pass(10);
      });
    };
    for (const lateness of [0, 20, 20, 20, 0, 0, 0]) await step(lateness);
    assert.deepEqual(pauses, [10, 10, 20, 40, 40, 20, 10]);
    await paced.discard();
  });

  it('wait no longer than half a second for a store that is never idle, or less where others wait for rows of their own', async () => {
    for (const [locksRows, longest] of [
      [false, 500],
      [true, 100],
    ] as const) {
      const clock = clockTelling((milliseconds) => milliseconds);
      const paced = await Staging.begin({ ...storeAwaitedBy(() => 1), locksRows }, {}, clock);
      await paced.step(0, async () => undefined);
      assert.equal(clock.now(), longest);
      await paced.discard();
    }
  });

  it('goes on after a while where others never have enough', async () => {
    let isOver = false;
    const others = Array.from({ length: 10 }, async () => {
      while (!isOver) await database.write(async () => hold(3), 'someone');
    });
    const begun = performance.now();
    for (let steps = 0; steps < 3; steps += 1) await staging.step(0, async () => undefined);
    isOver = true;
    await Promise.all(others);
    assert.ok(performance.now() - begun < 5_000);
  });
});
