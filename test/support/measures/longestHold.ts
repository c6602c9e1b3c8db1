import { setImmediate } from 'node:timers/promises';

/**
 * The longest time, in milliseconds of this thread's processor where that is told, for which nothing else had a turn while the
 * work was under way. What other programs take of the machine does not count.
 */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const watch = async () => {
    for (let before = spent(); !isOver; before = spent()) {
      await setImmediate();
      longest = Math.max(longest, spent() - before);
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

/**
 * The least of several longest holds, as many as it takes until one is plainly below `most`: what a busy machine adds, or garbage of the
 * tests before, is not there each time; what the work itself takes is.
 */
export async function steadyHold(work: () => Promise<unknown>, most: number): Promise<number> {
  let hold = await longestHold(work);
  for (let tries = 1; hold > most / 2 && tries < TRIES; tries += 1) hold = Math.min(hold, await longestHold(work));
  return hold;
}

function spent(): number {
  const { user, system } = typeof process.threadCpuUsage === 'function' ? process.threadCpuUsage() : process.cpuUsage();
  return (user + system) / 1000;
}
