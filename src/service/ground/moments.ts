/** Milliseconds by which the clocks of several machines may differ before what they wrote down is taken for wrong. */
export const CLOCK_SKEW = 60_000;

/**
 * A stored moment as it is believed `now`: one that lies further ahead than the longest pause there is (`furthest`, milliseconds) was
 * written by a clock that was ahead for a while, and is taken for now, so that nothing waits until that clock is right.
 */
export function believed(moment: number, now: number, furthest = 0): number {
  return moment > now + furthest ? now : moment;
}
