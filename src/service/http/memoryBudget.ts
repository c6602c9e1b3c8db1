interface Waiting {
  readonly bytes: number;
  readonly holder: string;
  readonly enter: (isIn: boolean) => void;
}

/** Of the room for several holders, what one of them may have, unless that is a single part. */
const MOST_OF_ONE = 1 / 2;

/**
 * So many bytes, of which each has a part for as long as it needs it. Who finds too few waits in line. Where it is said who holds a part,
 * those who have one already keep nobody waiting who has none.
 */
export class MemoryBudget {
  private readonly capacity: number;
  private readonly patience: number;
  private readonly line: Waiting[] = [];
  private readonly held = new Map<string, number>();
  private taken = 0;

  /** `patience` is the milliseconds for which anyone waits. */
  constructor(capacity: number, patience: number) {
    this.capacity = capacity;
    this.patience = patience;
  }

  /** Whether anyone waits. */
  get isCrowded(): boolean {
    return this.line.length > 0;
  }

  get waitingCount(): number {
    return this.line.length;
  }

  /** Whether anyone waits who has no part. */
  get isWanted(): boolean {
    return this.line.some(({ holder }) => this.heldBy(holder) === 0);
  }

  /** Whether so many bytes are taken from now on, until they are given back. Nobody passes those who wait and have none. */
  take(bytes: number, holder = ''): boolean {
    const isBehind = this.line.some((waiting) => !this.passes(holder, waiting.holder));
    if (isBehind || !this.fits(bytes, holder)) return false;
    this.takeAnyway(bytes, holder);
    return true;
  }

  takeAnyway(bytes: number, holder = ''): void {
    this.taken += bytes;
    if (holder !== '') this.held.set(holder, this.heldBy(holder) + bytes);
  }

  /** The same when there are so many, in turn; false when there were not in time. */
  async wait(bytes: number, holder = ''): Promise<boolean> {
    if (this.take(bytes, holder)) return true;
    return new Promise((resolve) => {
      const waiting = { bytes, holder, enter: resolve };
      this.line.push(waiting);
      const giveUp = (): void => {
        const at = this.line.indexOf(waiting);
        if (at < 0) return;
        this.line.splice(at, 1);
        resolve(false);
        this.letIn();
      };
      setTimeout(giveUp, this.patience).unref();
    });
  }

  give(bytes: number, holder = ''): void {
    this.taken -= bytes;
    const left = this.heldBy(holder) - bytes;
    if (left > 0) this.held.set(holder, left);
    else this.held.delete(holder);
    this.letIn();
  }

  /** Bytes of the parts that a holder has. */
  heldBy(holder: string): number {
    return this.held.get(holder) ?? 0;
  }

  private letIn(): void {
    for (let at = 0; at < this.line.length; ) {
      const waiting = this.line[at];
      if (!waiting) return;
      if (this.fits(waiting.bytes, waiting.holder)) {
        this.line.splice(at, 1);
        this.takeAnyway(waiting.bytes, waiting.holder);
        waiting.enter(true);
      } else if (this.heldBy(waiting.holder) > 0) at += 1;
      else return;
    }
  }

  private passes(holder: string, waiting: string): boolean {
    return this.heldBy(holder) === 0 && this.heldBy(waiting) > 0;
  }

  /** Who needs more than there is has all of it. */
  private fits(bytes: number, holder: string): boolean {
    const own = this.heldBy(holder);
    if (own > 0 && own + bytes > this.capacity * MOST_OF_ONE) return false;
    return this.taken <= 0 || this.taken + bytes <= this.capacity;
  }
}
