import type { PollState } from '../../core/replica/polling.ts';

export type Attention = Pick<PollState, 'isFocused' | 'isActive' | 'isVisible' | 'seconds'>;

/** What is known of the last time a server was asked. Moments are in milliseconds since the epoch. */
export interface LastPoll {
  readonly askedAt: number;
  /** In a row; 0 when the last one went well. */
  readonly failures: number;
  /** Milliseconds that the server asked us to wait. */
  readonly retryAfter?: number;
  /** When the plan changes by itself: the current iteration or the day ends. */
  readonly turnsAt?: number;
}

const LEAST_SECONDS = 5;
/** Longer than anyone needs to wait for a failing server. */
const LONGEST_BACK_OFF_MS = 5 * 60 * 1000;
/** A server that asks for more is asked after this nevertheless. */
const LONGEST_RETRY_AFTER_MS = 60 * 60 * 1000;
/** Servers' clocks differ; a plan that is asked for at once may still be the old one. */
const AFTER_TURN_MS = 1000;

/**
 * When a server is asked next, in milliseconds since the epoch; never without `seconds`. `random` is from 0 up to 1 and
 * spreads windows that would ask in the same moment.
 */
export function nextPollAt(attention: Attention, last: LastPoll, random: number): number | undefined {
  if (attention.seconds <= 0) return undefined;
  const usual = usualDelay(attention);
  if (last.failures > 0) {
    const backOff = Math.max(random * longestBackOff(attention, last.failures), leastBackOff(attention));
    return last.askedAt + Math.max(backOff, Math.min(last.retryAfter ?? 0, LONGEST_RETRY_AFTER_MS));
  }
  const turn = turnDelay(attention, last, random);
  return last.askedAt + Math.min(usual, turn);
}

/** Whether the data is too old for someone who returns to the window; not while a server asked to be left alone. */
export function isOld({ seconds }: Attention, { askedAt, retryAfter = 0, failures }: LastPoll, now: number): boolean {
  if (seconds <= 0) return false;
  const rest = failures > 0 ? Math.min(retryAfter, LONGEST_RETRY_AFTER_MS) : 0;
  return now < askedAt || now - askedAt >= Math.max(base(seconds), rest);
}

/** Someone who works in the window sees a change soon; other windows cost a server little. */
function usualDelay(attention: Attention): number {
  return base(attention.seconds) * factor(attention);
}

function factor({ isFocused, isActive, isVisible }: Attention): number {
  if (!isFocused) return 10;
  return isActive && isVisible ? 1 : 4;
}

function base(seconds: number): number {
  return Math.max(seconds, LEAST_SECONDS) * 1000;
}

function longestBackOff({ seconds }: Attention, failures: number): number {
  return Math.min(LONGEST_BACK_OFF_MS, base(seconds) * 2 ** failures);
}

/** While no one is waiting, a failing server is asked no more often than a healthy one. */
function leastBackOff(attention: Attention): number {
  return factor(attention) === 1 ? LEAST_SECONDS * 1000 : usualDelay(attention);
}

function turnDelay({ seconds }: Attention, { askedAt, turnsAt }: LastPoll, random: number): number {
  if (turnsAt === undefined || turnsAt < askedAt) return Number.POSITIVE_INFINITY;
  return turnsAt - askedAt + AFTER_TURN_MS + random * base(seconds);
}
