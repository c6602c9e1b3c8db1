import { TrackerError } from '../../core/errors.ts';
import { t } from '../../core/translation.ts';
import { secondsOf } from '../network/networkError.ts';

/** How long a call may take, in milliseconds, and how slowly, in bytes a second. */
export interface Timeouts {
  readonly connect: number;
  /** Until the head of the answer; while uploading, without a byte being taken. */
  readonly headers: number;
  /** Between two pieces of the answer. */
  readonly body: number;
  /** For a whole call, its retries included. What comes or goes at the least pace may take longer. */
  readonly total: number;
  /** For a whole answer that is no file, at whatever pace. */
  readonly longest: number;
  /** The least pace of an answer. */
  readonly answerPace: number;
  /** The least pace of a file that goes up or comes down. */
  readonly filePace: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  connect: 10_000,
  headers: 30_000,
  body: 30_000,
  total: 45_000,
  longest: 10 * 60_000,
  answerPace: 32 * 1024,
  filePace: 4 * 1024,
};

/** How long something may take. */
export interface Allowance {
  /** Milliseconds, whatever comes. */
  readonly total: number;
  /** Bytes a second: what has come earns the time that it takes at this pace. */
  readonly pace: number;
  /** Milliseconds, however much comes. */
  readonly most?: number;
}

/** How long something has taken so far, and how much has come of it. Calls that share one share the time of a single call. */
export class TimeSpent {
  private readonly start: number;
  private bytes = 0;

  /** `already` are milliseconds that passed before. */
  constructor(already = 0) {
    this.start = performance.now() - already;
  }

  /** Milliseconds. */
  get elapsed(): number {
    return performance.now() - this.start;
  }

  /** So many bytes came, or went. */
  note(bytes: number): void {
    this.bytes += bytes;
  }

  /** Milliseconds. */
  leftOf({ total, pace, most = Number.POSITIVE_INFINITY }: Allowance): number {
    return Math.min(total + (this.bytes / pace) * 1000, most) - this.elapsed;
  }
}

/** Ends a call when its time is over or its caller gives up; owns its timer. */
export class Deadline {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly caller: AbortSignal | undefined;
  private allowance: Allowance;
  private spent: TimeSpent;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(allowance: Allowance, caller: AbortSignal | undefined, spent = new TimeSpent()) {
    this.allowance = allowance;
    this.spent = spent;
    this.caller = caller;
    this.signal = caller ? AbortSignal.any([caller, this.controller.signal]) : this.controller.signal;
    this.wait();
  }

  /** So many bytes came, or went. */
  note(bytes: number): void {
    this.spent.note(bytes);
  }

  /** The time for another thing begins, as for the answer to an upload. */
  restart(allowance: Allowance): void {
    this.allowance = allowance;
    this.spent = new TimeSpent();
    clearTimeout(this.timer);
    if (!this.isOver) this.wait();
  }

  /** Why the call was ended; undefined while it may go on. */
  error(request: string, host: string): TrackerError | undefined {
    if (this.caller?.aborted) return new TrackerError('cancelled', 'Canceled.', { request });
    if (!this.isOver) return undefined;
    const after = secondsOf(this.spent.elapsed);
    const sentence = t(
      '{0} did not finish its answer in time ({1}). Check the connection to it and try again.',
      host,
      after,
    );
    return new TrackerError('timeout', sentence, { request });
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  /** What came in the meantime is looked at when the time that was left is over, so that noting it costs nothing. */
  private wait(): void {
    const left = this.spent.leftOf(this.allowance);
    if (left <= 0) {
      this.isOver = true;
      this.controller.abort();
      return;
    }
    this.timer = setTimeout(() => this.wait(), Math.min(Math.ceil(left), LONGEST_TIMER));
    this.timer.unref();
  }
}

/** Node.js takes more for none at all. */
const LONGEST_TIMER = 2 ** 31 - 1;
