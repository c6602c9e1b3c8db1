interface Waiting {
  readonly bytes: number;
  readonly enter: (isIn: boolean) => void;
}

/** So many bytes, of which each has a part for as long as it needs it. Who finds too few waits in line. */
export class Room {
  private readonly capacity: number;
  private readonly patience: number;
  private readonly line: Waiting[] = [];
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

  /** Whether so many bytes are taken from now on, until they are given back. Nobody passes those who wait. */
  take(bytes: number): boolean {
    if (this.isCrowded || !this.fits(bytes)) return false;
    this.takeAnyway(bytes);
    return true;
  }

  takeAnyway(bytes: number): void {
    this.taken += bytes;
  }

  /** The same when there are so many, in turn; false when there were not in time. */
  async wait(bytes: number): Promise<boolean> {
    if (this.take(bytes)) return true;
    return new Promise((resolve) => {
      const waiting = { bytes, enter: resolve };
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

  give(bytes: number): void {
    this.taken -= bytes;
    this.letIn();
  }

  private letIn(): void {
    for (let first = this.line[0]; first && this.fits(first.bytes); first = this.line[0]) {
      this.line.shift();
      this.takeAnyway(first.bytes);
      first.enter(true);
    }
  }

  /** Who needs more than there is has all of it. */
  private fits(bytes: number): boolean {
    return this.taken <= 0 || this.taken + bytes <= this.capacity;
  }
}
