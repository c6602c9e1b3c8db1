import { believed } from '../ground/moments.ts';

const HOUR = 60 * 60 * 1000;
/** Milliseconds; a mail that would wait for longer is not queued. */
export const LONGEST_WAIT = 24 * HOUR;

/** When a mail may go out, and when the one after it might, had there been none before these. */
interface Turn {
  readonly dueAt: number;
  readonly freeAt: number;
}

/** The turn of one more mail where the one before left `freeAt` behind. */
export function nextTurn(freeAt: number, now: number, perHour: number): Turn {
  const pause = HOUR / perHour;
  const start = Math.max(freeAt, now);
  return { dueAt: Math.max(now, Math.ceil(start - HOUR + pause)), freeAt: Math.ceil(start + pause) };
}

/** What the mail before left behind, where the clock was ahead when it was queued: as it would be by a clock that is right. */
export function freeAtNow(freeAt: number, queuedAt: number, now: number): number {
  return believed(freeAt - Math.max(0, queuedAt - now), now, LONGEST_WAIT + HOUR);
}
