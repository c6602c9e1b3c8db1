const FIRST = 1_000;
const LONGEST = 5 * 60_000;
const SHORTEST = 250;

/**
 * Milliseconds until the next of `attempts` failed ones: full jitter, so that windows and machines which lost a server at the
 * same moment do not come back at the same moment, and never sooner than the server asked for.
 */
export function backOff(attempts: number, random: () => number, retryAfter = 0): number {
  const ceiling = Math.min(LONGEST, FIRST * 2 ** Math.min(attempts, 20));
  return Math.ceil(Math.max(SHORTEST, random() * ceiling, retryAfter));
}
