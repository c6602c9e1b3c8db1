const TRIES = 5;
const ROUNDS = 3;

/**
 * By what factor the processor's time grows when the size doubles: about 2 where it is linear, 4 where it is the square. The least of
 * several rounds counts, since machines are noisy and collecting garbage counts too. What `made` does is not counted.
 */
export function growth<T>(size: number, made: (size: number) => T, work: (input: T) => unknown): number {
  const [once, twice] = [made(size), made(2 * size)];
  const ratios = Array.from({ length: ROUNDS }, () => leastTime(() => work(twice)) / leastTime(() => work(once)));
  return Math.min(...ratios);
}

/** Microseconds. */
function leastTime(work: () => unknown): number {
  const times = Array.from({ length: TRIES }, () => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.max(1, Math.min(...times));
}
