import { believed } from '../ground/moments.ts';
import { LONGEST_PAUSE } from '../store/jobs/claimedJobs.ts';

const FIRST_PAUSE = 1_000;
const DAY = 24 * 60 * 60 * 1000;

export interface Failing {
  readonly now: number;
  /** How often the queue has failed in a row, this time included. */
  readonly failures: number;
  /** When the queue began to fail; later by the time in which it was not tried. */
  readonly failingSince: number;
  /** When the job was queued, or was last asked for again. */
  readonly queuedAt: number;
  /** Milliseconds that the receiver asked for. */
  readonly restFor: number;
}

/**
 * When a job that failed is due again, or `parked` once job and queue have had their day (protocol.md, Web hooks). The pause doubles,
 * and `random`, from 0 to 1, takes away up to half of it, so that many do not come back at once. The last attempt is at the day's end.
 */
export function nextAttempt(failing: Failing, random: number): number | 'parked' {
  const { now, failures, failingSince, queuedAt, restFor } = failing;
  const end = Math.max(believed(failingSince, now), believed(queuedAt, now)) + DAY;
  if (now >= end) return 'parked';
  const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(failures - 1, 30), LONGEST_PAUSE);
  return Math.min(now + Math.max(Math.round(pause * (1 - random / 2)), Math.min(restFor, LONGEST_PAUSE)), end);
}
