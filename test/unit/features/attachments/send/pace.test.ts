import assert from 'node:assert/strict';
import { setImmediate as later } from 'node:timers/promises';
import { isCancelled, TrackerError } from '../../../../../src/core/errors.ts';
import { ByteCount, mapWithLimit, Semaphore, whenNotBusy } from '../../../../../src/features/attachments/send/pace.ts';
import { byteText } from '../../../../../src/host/shell/plainText.ts';

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

const never = () => false;
const nextTick = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('mapWithLimit', () => {
  it('runs no more than the limit at a time and tells the outcomes in the order given', async () => {
    let running = 0;
    let most = 0;
    const outcomes = await mapWithLimit(
      [3, 1, 2, 0],
      2,
      async (ticks) => {
        most = Math.max(most, ++running);
        for (let i = 0; i <= ticks; i++) await nextTick();
        running--;
        return ticks * 10;
      },
      never,
    );
    assert.equal(most, 2);
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'done' && outcome.value),
      [30, 10, 20, 0],
    );
  });

  it('goes on after a failure that concerns one item only', async () => {
    const outcomes = await mapWithLimit(['a', 'bad', 'c'], 1, failsForBad, never);
    assert.deepEqual(
      outcomes.map(({ item, status }) => [item, status]),
      [
        ['a', 'done'],
        ['bad', 'failed'],
        ['c', 'done'],
      ],
    );
  });

  it('begins nothing more after a failure that concerns all, and gives the others its reason', async () => {
    const begun: string[] = [];
    const run = (item: string) => {
      begun.push(item);
      return failsForBad(item);
    };
    const outcomes = await mapWithLimit(['a', 'bad', 'c', 'd'], 1, run, () => true);
    assert.deepEqual(begun, ['a', 'bad']);
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === 'failed' ? String(outcome.error) : 'done')),
      ['done', 'Error: bad it is', 'Error: bad it is', 'Error: bad it is'],
    );
  });

  it('has no outcomes for no items', async () => {
    assert.deepEqual(await mapWithLimit([], 2, failsForBad, never), []);
  });
});

async function failsForBad(item: string): Promise<string> {
  if (item === 'bad') throw new Error('bad it is');
  return item;
}

describe('whenNotBusy', () => {
  const busy = (retryAfter?: number) =>
    new TrackerError('busy', 'Busy.', { status: 429, ...(retryAfter !== undefined && { retryAfter }) });

  /** Sends what answers so, one after the other; gives what came of it, how often it was sent, and the pauses. */
  async function sent(answers: readonly (string | Error)[], isSafe = true) {
    let times = 0;
    const pauses: number[] = [];
    const wait = async (pause: number) => void pauses.push(pause);
    const send = async () => {
      const answer = answers[Math.min(times++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const result = await whenNotBusy(send, { wait, isSafe: async () => isSafe }).catch(String);
    return { result, times, pauses };
  }

  it('sends again after as long as the server says', async () => {
    assert.deepEqual(await sent([busy(2000), busy(0), 'taken']), { result: 'taken', times: 3, pauses: [2000, 0] });
  });

  it('tells the person once it has been busy for long', async () => {
    const { result, times } = await sent([busy(1)]);
    assert.deepEqual([result, times], ['TrackerError: Busy.', 5]);
  });

  it('tries nothing again that the server may have taken, or does not want soon', async () => {
    assert.equal((await sent([busy(1), 'taken'], false)).times, 1);
    assert.equal((await sent([busy(), 'taken'])).times, 1);
    assert.equal((await sent([busy(61_000), 'taken'])).times, 1);
    assert.equal((await sent([new TrackerError('server', 'Failed.', { retryAfter: 1 }), 'taken'])).times, 1);
    assert.equal((await sent([new Error('else'), 'taken'])).times, 1);
  });
});

describe('ByteCount', () => {
  it('adds up the uploads and reports whole percents that sum to 100', () => {
    const count = new ByteCount(300);
    assert.deepEqual(count.count('a', 50), { sent: 50, total: 300, percent: 16, increment: 16 });
    assert.deepEqual(count.count('b', 100), { sent: 150, total: 300, percent: 50, increment: 34 });
    assert.deepEqual(count.count('a', 100), { sent: 200, total: 300, percent: 66, increment: 16 });
    assert.deepEqual(count.count('b', 200), { sent: 300, total: 300, percent: 100, increment: 34 });
  });

  it('never goes back, nor over the total when a file grew in the meantime', () => {
    const count = new ByteCount(100);
    count.count('a', 80);
    assert.deepEqual(count.count('a', 10), { sent: 10, total: 100, percent: 10, increment: 0 });
    assert.deepEqual(count.count('a', 150), { sent: 100, total: 100, percent: 100, increment: 20 });
  });

  it('calls nothing at all complete', () => {
    assert.equal(new ByteCount(0).count('a', 0).percent, 100);
  });
});

describe('byteText', () => {
  const assertText = (bytes: number, expected: string) => assert.equal(byteText(bytes), expected);

  it('reads as people say sizes', () => {
    assertText(0, '0 B');
    assertText(1, '1 B');
    assertText(1023, '1023 B');
    assertText(1024, '1.0 KB');
    assertText(1536, '1.5 KB');
    assertText(10 * 1024, '10 KB');
    assertText(5 * 1024 ** 2, '5.0 MB');
    assertText(3 * 1024 ** 5, '3072 TB');
  });
});
