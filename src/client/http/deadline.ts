import { TrackerError } from '../../core/errors.ts';

/** How long something may take. */
export interface Allowance {
  /** Milliseconds, whatever comes. */
  readonly total: number;
  /** Bytes a second: what has come earns the time that it takes at this pace. */
  readonly pace: number;
  /** Milliseconds, however much comes. */
  readonly most?: number;
}

/** Ends a call when its time is over or its caller gives up; owns its timer. */
export class Deadline {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly caller: AbortSignal | undefined;
  private allowance: Allowance;
  private bytes = 0;
  private start = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(allowance: Allowance, caller: AbortSignal | undefined) {
    this.allowance = allowance;
    this.caller = caller;
    this.signal = caller ? AbortSignal.any([caller, this.controller.signal]) : this.controller.signal;
    this.wait();
  }

  /** So many bytes came, or went. */
  note(bytes: number): void {
    this.bytes += bytes;
  }

  /** The time for another thing begins, as for the answer to an upload. */
  restart(allowance: Allowance): void {
    this.allowance = allowance;
    this.bytes = 0;
    this.start = performance.now();
    clearTimeout(this.timer);
    if (!this.isOver) this.wait();
  }

  /** Why the call was ended; undefined while it may go on. */
  error(request: string, host: string): TrackerError | undefined {
    if (this.caller?.aborted) return new TrackerError('cancelled', 'Canceled.', { request });
    if (!this.isOver) return undefined;
    return new TrackerError('timeout', `${host} did not finish its answer in time. Try again, or request less.`, {
      request,
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
  }

  /** What came in the meantime is looked at when the time that was left is over, so that noting it costs nothing. */
  private wait(): void {
    const { total, pace, most = Number.POSITIVE_INFINITY } = this.allowance;
    const left = Math.min(total + (this.bytes / pace) * 1000, most) - (performance.now() - this.start);
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
