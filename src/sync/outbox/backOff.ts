const FIRST = 1_000;
const LONGEST = 5 * 60_000;
const SHORTEST = 250;
/** No server is obeyed for longer; what is to wait longer was told by a clock that was set back. */
export const LONGEST_WAIT_MS = 60 * 60_000;

/**
 * Milliseconds until the next of `attempts` failed ones: full jitter, so that windows and machines which lost a server at the
 * same moment do not come back at the same moment, and not sooner than the server asked for, within `LONGEST_WAIT_MS`.
 */
export function backOff(attempts: number, random: () => number, retryAfter = 0): number {
  const ceiling = Math.min(LONGEST, FIRST * 2 ** Math.min(attempts, 20));
  return Math.ceil(Math.max(SHORTEST, random() * ceiling, Math.min(retryAfter, LONGEST_WAIT_MS)));
}
