import { believed } from './moments.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const FIRST_PAUSE = 1_000;
/** Milliseconds; also for what a receiver asks for. */
export const LONGEST_PAUSE = HOUR;
/** Milliseconds; a mail that would wait for longer is not queued. */
export const LONGEST_WAIT = DAY;

interface Failing {
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

/** Milliseconds for which a queue that was due at a moment was not tried since nobody was there: services stop, machines sleep. */
export function missedTime(dueAt: number, now: number): number {
  const late = now - dueAt;
  return late > LONGEST_PAUSE ? late : 0;
}

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
