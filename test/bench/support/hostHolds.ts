import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest turns of the event loop, in milliseconds. */
export interface Holds {
  /** By the clock, what other programs took away included. */
  readonly hold: number;
  /** By the time that this thread had the processor. */
  readonly busy: number;
}

/** Watches every turn of the event loop from when it is made, since the first turns of a watch tell nothing. */
export class HostHolds {
  private going = true;
  private longest = { hold: 0, busy: 0 };

  constructor() {
    void this.watch();
  }

  stop(): void {
    this.going = false;
  }

  async during(work: () => Promise<unknown>): Promise<Holds> {
    await nextTurn();
    await nextTurn();
    this.longest = { hold: 0, busy: 0 };
    await work();
    await nextTurn();
    return this.longest;
  }

  private async watch(): Promise<void> {
    for (let last = moment(); this.going; ) {
      await nextTurn();
      const now = moment();
      this.longest.hold = Math.max(this.longest.hold, now.hold - last.hold);
      this.longest.busy = Math.max(this.longest.busy, now.busy - last.busy);
      last = now;
    }
  }
}

function moment(): Holds {
  const { user, system } = process.threadCpuUsage();
  return { hold: performance.now(), busy: (user + system) / 1000 };
}
