/** Microseconds up to which the clock tells it: work so short is mostly done before the processor goes to something else. */
const SHORT = 1_500;
/** Microseconds of the processor that are counted for longer work: some kernels count in steps of 4,000. */
const COUNTED = 40_000;

/** Microseconds of this thread's processor that the work takes. */
export function processorTime(work: () => unknown): number {
  const least = leastTime(work, 5);
  return least <= SHORT ? least : Math.min(countedTime(work), countedTime(work));
}

/**
 * How many times as long one work takes as another: the least of what the clock tells of the quickest of some tries, where nothing came
 * between, and of what the processor counted over many, where everything did. The second is not looked at once the first is `enough` or less.
 */
export function timesAsLong(longer: () => unknown, than: () => unknown, enough = 0): number {
  const onClock = leastTime(longer, 5) / leastTime(than, 5);
  if (onClock <= enough) return onClock;
  return Math.min(onClock, countedTime(longer) / countedTime(than));
}

/** Microseconds on the clock. */
function leastTime(work: () => unknown, tries: number): number {
  let least = Number.POSITIVE_INFINITY;
  const begun = performance.now();
  for (let index = 0; index < tries && performance.now() - begun < 40; index += 1) {
    const before = performance.now();
    work();
    least = Math.min(least, (performance.now() - before) * 1_000);
  }
  return Math.max(1, least);
}

/** Microseconds of the processor, on an average. */
function countedTime(work: () => unknown): number {
  const before = spentTime();
  for (let times = 1; ; times += 1) {
    work();
    const spent = spentTime() - before;
    if (spent >= COUNTED) return spent / times;
  }
}

/** Microseconds of the processor that this thread has had, where that is told, else this process. */
export function spentTime(): number {
  const { user, system } = typeof process.threadCpuUsage === 'function' ? process.threadCpuUsage() : process.cpuUsage();
  return user + system;
}
