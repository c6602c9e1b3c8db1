import { TrackerError } from '../../../core/errors.ts';

/** Uploads at the same time, whichever stories they go to. */
export const AT_ONCE = 2;

/** So many may work at a time; the others wait for their turn in the order in which they came. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** @throws TrackerError `cancelled` when the signal comes before the turn. */
  async hold<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.turn(signal);
    try {
      return await work();
    } finally {
      this.free++;
      this.waiting.shift()?.();
    }
  }

  private async turn(signal: AbortSignal): Promise<void> {
    while (this.free === 0 && !signal.aborted) await this.change(signal);
    if (signal.aborted) {
      this.waiting.shift()?.();
      throw new TrackerError('cancelled', 'Canceled.');
    }
    this.free--;
  }

  private change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', aborted);
        resolve();
      };
      const aborted = () => {
        const index = this.waiting.indexOf(done);
        if (index >= 0) this.waiting.splice(index, 1);
        done();
      };
      this.waiting.push(done);
      signal.addEventListener('abort', aborted, { once: true });
    });
  }
}
