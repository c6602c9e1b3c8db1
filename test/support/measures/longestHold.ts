import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { processorTime, spentTime } from './processorTime.ts';

/**
 * The longest time, in milliseconds of this thread's processor where that is told, for which nothing else had a turn while the
 * work was under way. What other programs take of the machine does not count.
 */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const watch = async () => {
    for (let before = spentTime(); !isOver; before = spentTime()) {
      await setImmediate();
      longest = Math.max(longest, (spentTime() - before) / 1_000);
    }
  };
  const watching = watch();
  try {
    await work();
  } finally {
    isOver = true;
    await watching;
  }
  return longest;
}

const TRIES = 6;

/** What a hold is compared with: half a megabyte of JSON, some milliseconds on a machine of today. */
const JSON_TEXT = JSON.stringify(
  Array.from({ length: 8_000 }, (_, id) => ({ id, name: `Story ${id}`, labels: ['a', 'b'], at: null })),
);

/** As many readings of that; ten times what the slowest of those that are tried need, and a tenth of what anything quadratic would. */
const MOST = 80;

/** Milliseconds for which a reading that was timed tells how fast the machine is. */
const FRESH = 5_000;

let timed = { at: Number.NEGATIVE_INFINITY, took: 0 };

/** Microseconds of one reading. Timing takes many of them, more than most works that are looked at: one time serves for a while. */
function readingTime(isAnew: boolean): number {
  if (isAnew || performance.now() - timed.at > FRESH) {
    timed = { took: processorTime(() => JSON.parse(JSON_TEXT)), at: performance.now() };
  }
  return timed.took;
}

/**
 * That the work gives way: the longest hold is no more than some readings of JSON, which a slow machine does slowly, too. The least of
 * several tries counts: what a busy machine adds, or garbage of the tests before, is not there each time; what the work itself takes is.
 */
export async function assertGivesWay(work: () => Promise<unknown>, what: string): Promise<void> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; least > MOST / 2 && tries < TRIES; tries += 1) {
    const hold = await longestHold(work);
    least = Math.min(least, (hold * 1_000) / readingTime(tries > 0));
  }
  assert.ok(least < MOST, `${what}: held as long as ${Math.round(least)} readings`);
}
