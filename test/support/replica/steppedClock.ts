import { setImmediate } from 'node:timers/promises';

interface Timer {
  readonly at: number;
  readonly ring: () => void;
}

/** A clock that moves only when told. */
export class SteppedClock {
  private time: number;
  private timers: readonly Timer[] = [];

  constructor(start = Date.parse('2026-03-02T09:00:00Z')) {
    this.time = start;
  }

  readonly now = (): number => this.time;

  readonly wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const timer: Timer = { at: this.time + milliseconds, ring: resolve };
      this.timers = [...this.timers, timer];
      const abort = () => {
        this.timers = this.timers.filter(({ ring }) => ring !== timer.ring);
        resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
    });

  /** Lets so much time pass, everything that is due happening at its moment. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settled();
    for (;;) {
      const next = this.timers.reduce<Timer | undefined>(
        (first, one) => (first && first.at <= one.at ? first : one),
        undefined,
      );
      if (!next || next.at > end) break;
      this.timers = this.timers.filter((one) => one !== next);
      this.time = Math.max(this.time, next.at);
      next.ring();
      await settled();
    }
    this.time = end;
  }

  /** Lets time pass until `isSo`. */
  async until(isSo: () => boolean, limit = 3_600_000): Promise<void> {
    const end = this.time + limit;
    await settled();
    while (!isSo()) {
      if (this.time > end) throw new Error('It did not come to that.');
      await this.advance(100);
    }
  }

  /** The machine is asleep so long: what was due meanwhile happens when it goes on. */
  sleep(milliseconds: number): void {
    this.time += milliseconds;
  }

  /** Someone corrects the clock; what waits does so as long as before. */
  setBack(milliseconds: number): void {
    this.time -= milliseconds;
    this.timers = this.timers.map(({ at, ring }) => ({ at: at - milliseconds, ring }));
  }
}

/** Until nothing goes on that does not wait for time. */
async function settled(): Promise<void> {
  for (let times = 0; times < 4; times++) await setImmediate();
}
