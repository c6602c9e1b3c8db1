import { SLICE_MS, waitsForArrivals } from './slices.ts';

/**
 * What waits in lines by callers, of which each is served in turn: who has hundreds waiting keeps another waiting for one of them. Callers
 * whose names begin alike up to a slash have one turn together, and among themselves in turn.
 */
export class FairQueue<T> {
  private readonly groups = new Map<string, Lines<T>>();

  get isEmpty(): boolean {
    return this.groups.size === 0;
  }

  get size(): number {
    return [...this.groups.values()].reduce((sum, group) => sum + group.size, 0);
  }

  add(caller: string, item: T): void {
    const name = groupOf(caller);
    const group = this.groups.get(name) ?? new Lines<T>();
    group.add(caller, item);
    this.groups.set(name, group);
  }

  /** Takes the first of the caller whose turn it is. */
  next(): T | undefined {
    const [first] = this.groups;
    if (first === undefined) return undefined;
    const [name, group] = first;
    const item = group.next();
    this.groups.delete(name);
    if (!group.isEmpty) this.groups.set(name, group);
    return item;
  }

  /** Takes one back that waits no longer. */
  remove(caller: string, item: T): void {
    const name = groupOf(caller);
    const group = this.groups.get(name);
    group?.remove(caller, item);
    if (group?.isEmpty) this.groups.delete(name);
  }
}

/** Work that is done one piece after the other, so that only one takes memory; callers have turns, so that none waits for all of another's. */
export class FairLock {
  private readonly waiting = new FairQueue<() => void>();
  private isTaken = false;

  async take<T>(sender: string, work: () => Promise<T>): Promise<T> {
    if (this.isTaken) await new Promise<void>((resolve) => this.waiting.add(sender, resolve));
    this.isTaken = true;
    try {
      return await work();
    } finally {
      const next = this.waiting.next();
      if (next) next();
      else this.isTaken = false;
    }
  }
}

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

  /** How many wait to begin. */
  get waitingCount(): number {
    return this.waiting.size;
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

function groupOf(caller: string): string {
  return caller.split('/', 1)[0] ?? '';
}

class Lines<T> {
  private readonly lines = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  get size(): number {
    return [...this.lines.values()].reduce((sum, line) => sum + line.length, 0);
  }

  add(caller: string, item: T): void {
    const line = this.lines.get(caller);
    if (line) line.push(item);
    else this.lines.set(caller, [item]);
  }

  next(): T | undefined {
    const [first] = this.lines;
    if (first === undefined) return undefined;
    const [caller, line] = first;
    const item = line.shift();
    this.lines.delete(caller);
    if (line.length > 0) this.lines.set(caller, line);
    return item;
  }

  remove(caller: string, item: T): void {
    const line = this.lines.get(caller);
    const place = line?.indexOf(item) ?? -1;
    if (line === undefined || place < 0) return;
    line.splice(place, 1);
    if (line.length === 0) this.lines.delete(caller);
  }
}
