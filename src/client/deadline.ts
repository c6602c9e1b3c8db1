import { TrackerError } from '../core/errors.ts';

/** Ends a call when its time is over or its caller gives up; owns its timer. */
export class Deadline {
  readonly signal: AbortSignal;
  private readonly caller: AbortSignal | undefined;
  private readonly timer: NodeJS.Timeout | undefined;
  private isOver = false;

  /** Without `milliseconds` only the caller ends the call. */
  constructor(milliseconds: number | undefined, caller: AbortSignal | undefined) {
    const controller = new AbortController();
    this.caller = caller;
    this.signal = caller ? AbortSignal.any([caller, controller.signal]) : controller.signal;
    if (milliseconds === undefined) return;
    this.timer = setTimeout(() => {
      this.isOver = true;
      controller.abort();
    }, milliseconds);
    this.timer.unref();
  }

  /** Why the call was ended; undefined while it may go on. */
  error(request: string, host: string): TrackerError | undefined {
    if (this.caller?.aborted) return new TrackerError('cancelled', 'Cancelled.', { request });
    if (!this.isOver) return undefined;
    return new TrackerError('timeout', `${host} did not finish its answer in time. Try again, or ask for less.`, {
      request,
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
  }
}
