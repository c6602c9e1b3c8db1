import { TrackerError } from '../../core/errors.ts';

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
