import { setImmediate } from 'node:timers/promises';

export const DAY_MS = 86_400_000;

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** Virtual time: what is due first runs first, and nothing waits for a real clock. */
export class Schedule {
  private time: number;
  private readonly waiting: Due[] = [];

  /** In milliseconds since the epoch. */
  constructor(start: number) {
    this.time = start;
  }

  get now(): number {
    return this.time;
  }

  /** What it returns takes it back. */
  after(ms: number, run: () => void): () => void {
    const due = { at: this.time + Math.max(0, ms), run };
    const place = this.waiting.findLastIndex(({ at }) => at <= due.at);
    this.waiting.splice(place + 1, 0, due);
    return () => {
      const index = this.waiting.indexOf(due);
      if (index >= 0) this.waiting.splice(index, 1);
    };
  }

  /** Sooner when the signal comes. */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const over = () => {
        signal?.removeEventListener('abort', sooner);
        resolve();
      };
      const forget = this.after(ms, over);
      const sooner = () => {
        forget();
        resolve();
      };
      signal?.addEventListener('abort', sooner, { once: true });
    });
  }

  /** A machine that sleeps: what was due meanwhile is late. */
  jump(ms: number): void {
    this.time += ms;
  }

  /** Runs what is due next, and all that follows from it at once; `false` when nothing is due before that time. */
  async step(until = Number.POSITIVE_INFINITY): Promise<boolean> {
    const [next] = this.waiting;
    if (!next || next.at > until) return false;
    this.waiting.shift();
    this.time = Math.max(this.time, next.at);
    next.run();
    await setImmediate();
    return true;
  }

  async runUntil(time: number): Promise<void> {
    do await setImmediate();
    while (await this.step(time));
    this.time = Math.max(this.time, time);
  }
}
