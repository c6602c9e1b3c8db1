/** Shows one thing at a time; what comes in the meantime is gathered in the next. */
export class Gathered<T> {
  private readonly show: (all: readonly T[]) => Promise<void>;
  private waiting: readonly T[] = [];
  private isShowing = false;

  constructor(show: (all: readonly T[]) => Promise<void>) {
    this.show = show;
  }

  /** Each is shown at most once, also where several ask at the same time. */
  async add(coming: Promise<readonly T[]>): Promise<void> {
    const more = await coming;
    this.waiting = [...this.waiting, ...more];
    if (this.isShowing) return;
    this.isShowing = true;
    try {
      while (this.waiting.length > 0) {
        const all = this.waiting;
        this.waiting = [];
        await this.show(all);
      }
    } finally {
      this.isShowing = false;
    }
  }

  /** Forgets what waits. */
  clear(): void {
    this.waiting = [];
  }
}
