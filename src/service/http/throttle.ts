const WINDOW = 60_000;
const FREE_FAILURES = 5;
const MAX_KEYS = 10_000;

interface Failures {
  count: number;
  last: number;
}

/** Slows guessing: after some failures within a minute each further one doubles the wait. */
export class Throttle {
  private readonly failures = new Map<string, Failures>();

  /** Seconds until `key` may try again; 0 when it may now. */
  waitFor(key: string, now: number): number {
    const known = this.failures.get(key);
    if (!known) return 0;
    const excess = known.count - FREE_FAILURES;
    const pause = excess < 0 ? 0 : Math.min(2 ** excess * 1000, 15 * WINDOW);
    return Math.max(0, Math.ceil((known.last + pause - now) / 1000));
  }

  failed(key: string, now: number): void {
    const known = this.failures.get(key);
    const count = known && now - known.last < WINDOW * 15 ? known.count + 1 : 1;
    this.failures.delete(key);
    if (this.failures.size >= MAX_KEYS) this.failures.delete(this.failures.keys().next().value ?? key);
    this.failures.set(key, { count, last: now });
  }

  /** Takes one failure back, for an attempt that was counted before it was tried. */
  succeeded(key: string): void {
    const known = this.failures.get(key);
    if (known && known.count > 1) known.count -= 1;
    else this.failures.delete(key);
  }
}
