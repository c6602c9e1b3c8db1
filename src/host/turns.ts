/** Longest time, in milliseconds, for which this keeps the extension host from other work. */
const SLICE_MS = 2;

/** Does many small pieces of work in the order in which they come, and gives way when a turn has taken long enough. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private begun: number | undefined;

  /** At once when there is time for it in this turn. */
  take<T>(work: () => T): T | Promise<T> {
    this.begun ??= this.begin();
    if (this.waiting.length === 0 && this.hasTime(this.begun)) return work();
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(work());
        } catch (thrown) {
          reject(thrown);
        }
      });
    });
  }

  private begin(): number {
    setImmediate(() => this.next());
    return performance.now();
  }

  private next(): void {
    this.begun = this.waiting.length > 0 ? this.begin() : undefined;
    for (let done = 0; this.begun !== undefined; done += 1) {
      if (done > 0 && !this.hasTime(this.begun)) return;
      const work = this.waiting.shift();
      if (!work) return;
      work();
    }
  }

  private hasTime(begun: number): boolean {
    return performance.now() - begun < SLICE_MS;
  }
}
