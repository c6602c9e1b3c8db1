import assert from 'node:assert/strict';
import { StoreUnavailable } from '../../../../src/service/ground/errors.ts';
import type { Database } from '../../../../src/service/store/database.ts';
import { troubledWrites } from '../../../../src/service/store/troubledWrites.ts';

const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
const fullServer = new StoreUnavailable('Try again.', {
  cause: Object.assign(new Error('could not extend file'), { code: '53100' }),
});

describe('a store whose disk is full', () => {
  let now: number;
  let failure: Error | undefined;
  let store: Database;

  beforeEach(() => {
    [now, failure] = [1_000, undefined];
    const gone = () => Promise.reject(new Error('Not asked for.'));
    const database: Database = {
      read: gone,
      write: () => (failure ? Promise.reject(failure) : gone().catch(Object)),
      stamp: () => 0,
      seen: gone,
      pools: () => [],
      requireWritable: async () => undefined,
      locksRows: false,
      close: gone,
    };
    store = troubledWrites(database, () => now);
  });

  const write = () => store.write(async () => undefined).catch(() => undefined);

  for (const error of [full, fullServer]) {
    it(`takes no changes for half a minute after one failed: ${error.message}`, async () => {
      await store.requireWritable();
      failure = error;
      await write();
      now += 29_000;
      await assert.rejects(store.requireWritable(), /could not be written to the disk/);
      now += 1_000;
      await store.requireWritable();
    });
  }

  it('takes them as soon as one was made', async () => {
    failure = full;
    await write();
    failure = undefined;
    await write();
    await store.requireWritable();
  });

  it('takes them though one failed for another reason', async () => {
    failure = new StoreUnavailable('Try again.', { cause: Object.assign(new Error('gone'), { code: '57P01' }) });
    await write();
    await store.requireWritable();
  });
});
