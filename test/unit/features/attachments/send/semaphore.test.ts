import assert from 'node:assert/strict';
import { setImmediate as later } from 'node:timers/promises';
import { isCancelled } from '../../../../../src/core/errors.ts';
import { Semaphore } from '../../../../../src/features/attachments/send/semaphore.ts';

describe('Semaphore', () => {
  const never = new AbortController().signal;

  it('let so many work at a time, the others in the order in which they came', async () => {
    const places = new Semaphore(2);
    const begun: number[] = [];
    let [working, most] = [0, 0];
    const work = (name: number) => async () => {
      begun.push(name);
      most = Math.max(most, ++working);
      for (let ticks = 0; ticks < name; ticks++) await later();
      working--;
      if (name === 3) throw new Error('three');
      return name;
    };
    const all = await Promise.allSettled([5, 1, 3, 2, 4].map((name) => places.hold(work(name), never)));
    assert.deepEqual([most, working], [2, 0]);
    assert.deepEqual(begun, [5, 1, 3, 2, 4]);
    assert.deepEqual(
      all.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
      [5, 1, 'Error: three', 2, 4],
    );
  });

  it('are not waited for by who has given up, and none gets lost', async () => {
    const places = new Semaphore(1);
    let leave = () => {};
    const first = places.hold(() => new Promise<void>((resolve) => (leave = resolve)), never);
    const stop = new AbortController();
    const second = places.hold(async () => assert.fail('begun'), stop.signal);
    const third = places.hold(async () => 'third', never);
    stop.abort();
    await assert.rejects(second, (error) => isCancelled(error));
    leave();
    await first;
    assert.equal(await third, 'third');
    assert.equal(await places.hold(async () => 'fourth', never), 'fourth');
    await assert.rejects(
      places.hold(async () => assert.fail('begun'), AbortSignal.abort()),
      isCancelled,
    );
  });
});
