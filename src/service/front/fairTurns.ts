import { FairQueue } from '../ground/fairQueue.ts';
import { SLICE_MS, waitsForArrivals } from '../ground/slices.ts';

/** How many begin at most in one turn of the event loop, besides those for which nothing waits. */
const MOST_A_TURN = 8;

/**
 * Spreads answers that are to be made over turns of the event loop: each takes a millisecond or two, and hundreds of requests may
 * come in the same turn. Those that wait are begun by their callers in turn, so that no one waits for all answers of another.
 */
export class FairTurns {
  private readonly waiting = new FairQueue<() => void>();
  /** Until when answers begin in this turn, by the clock of `performance`; undefined as long as none began. */
  private turnEnds: number | undefined;
  /** When one last began that had waited, or they began to wait. */
  private begunAt = 0;

  /** Whether an answer may begin at once; one that may not is to wait for `next`. */
  begins(): boolean {
    const now = performance.now();
    if (this.turnEnds === undefined) {
      this.turnEnds = now + SLICE_MS;
      this.begunAt = now;
      setImmediate(this.turn);
    }
    return this.waiting.isEmpty && now < this.turnEnds && !waitsForArrivals(this.begunAt);
  }

  /** Waits until one of the caller's answers is to begin. */
  next(caller: string): Promise<void> {
    return new Promise((resolve) => this.waiting.add(caller, resolve));
  }

  private readonly turn = (): void => {
    if (this.waiting.isEmpty) {
      this.turnEnds = undefined;
      return;
    }
    setImmediate(this.turn);
    if (waitsForArrivals(this.begunAt)) return;
    this.begunAt = performance.now();
    this.turnEnds = this.begunAt + SLICE_MS;
    this.waiting.next()?.();
    for (let count = 1; count < MOST_A_TURN; count += 1) setImmediate(this.beginInTime);
  };

  /**
   * What an answer does at once it does before the next of these is called. Connections that come in now do not stop the turn: under an
   * endless flood of them a slice's worth of answers is begun each time the wait for them is over.
   */
  private readonly beginInTime = (): void => {
    if (this.turnEnds !== undefined && performance.now() < this.turnEnds) this.waiting.next()?.();
  };
}
