import { setTimeout as wait } from 'node:timers/promises';
import { isAway, TrackerError } from '../../core/errors.ts';
import { isLasting } from '../network/networkError.ts';

/** What a call waits with; tests give their own. */
export interface Pace {
  /** Rejects when the signal is aborted. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
}

export const realPace: Pace = {
  sleep: async (milliseconds, signal) => {
    await wait(milliseconds, undefined, { signal });
  },
  random: Math.random,
};

const TRIES = 4;
const FIRST_DELAY = 250;
const LONGEST_DELAY = 5_000;
/** A server that asks for more patience than this is better told to the person. */
const LONGEST_OBEYED = 30_000;
const RETRIED_STATUSES = new Set([429, 502, 503, 504]);

/** Reads are tried four times, with full jitter between or as long as the server asks. */
export async function withRetries<T>(attempt: () => Promise<T>, signal: AbortSignal, pace: Pace): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt();
    } catch (error) {
      const delay = delayBefore(error, tried, pace);
      if (delay === undefined || tried === TRIES || signal.aborted) throw error;
      await pace.sleep(delay, signal).catch(() => {
        throw error;
      });
    }
  }
}

/** Undefined when trying again is of no use. */
function delayBefore(error: unknown, tried: number, pace: Pace): number | undefined {
  if (!(error instanceof TrackerError) || !isPassing(error)) return undefined;
  const asked = error.retryAfter;
  if (asked !== undefined) return asked <= LONGEST_OBEYED ? asked : undefined;
  return pace.random() * Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (tried - 1));
}

function isPassing(error: TrackerError): boolean {
  if (isLasting(error)) return false;
  const { status } = error;
  return status === undefined || status < 300 ? isAway(error) : RETRIED_STATUSES.has(status);
}

/** `Retry-After` in seconds or as a date, in milliseconds from `now`. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Requests that a server is given at once. */
const AT_ONCE = 8;
/** After so long a request does not count any more: what one server does slowly must not hold up the rest. */
const COUNTS_MS = 5_000;

/** Gives requests to one server their turn, in the order in which they ask. */
export class RequestSlots {
  private free: number;
  private readonly countsMs: number;
  private readonly waiting = new Set<() => void>();

  constructor(atOnce = AT_ONCE, countsMs = COUNTS_MS) {
    this.free = atOnce;
    this.countsMs = countsMs;
  }

  /** Runs the request once it is its turn. @throws TrackerError `cancelled` when the signal comes before. */
  async run<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.turn(signal);
    let isCounted = true;
    const leave = () => {
      if (isCounted) this.leave();
      isCounted = false;
    };
    const timer = setTimeout(leave, this.countsMs);
    timer.unref();
    try {
      return await request();
    } finally {
      clearTimeout(timer);
      leave();
    }
  }

  private async turn(signal: AbortSignal): Promise<void> {
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const giveUp = () => {
      this.waiting.delete(resolve);
      reject(new TrackerError('cancelled', 'Canceled.'));
    };
    this.waiting.add(resolve);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  private leave(): void {
    const [next] = this.waiting;
    if (!next) {
      this.free += 1;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
