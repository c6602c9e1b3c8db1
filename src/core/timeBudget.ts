/** The thread that work shares with others: `core` has neither a clock nor an event loop of its own. */
interface SharedThread {
  /** Milliseconds by a clock that never goes back. */
  now(): number;
  /** Resolves once others had their turn. */
  pause(): Promise<unknown>;
  /** Has `run` called when the present turn is over; absent where work goes on by the same budget over many turns. */
  atTurnEnd?(run: () => void): void;
}

/** Keeps long work from holding its thread: all work that shares a budget together has so many milliseconds at a time. */
export class TimeBudget {
  private readonly milliseconds: number;
  private readonly thread: SharedThread;
  /** When the first of the work began since others had their turn. */
  private begun: number | undefined;

  constructor(milliseconds: number, thread: SharedThread) {
    this.milliseconds = milliseconds;
    this.thread = thread;
  }

  /** To be called before such work; does nothing where other such work is at it. */
  begin(): void {
    if (this.begun !== undefined) return;
    this.begun = this.thread.now();
    this.thread.atTurnEnd?.(() => {
      this.begun = undefined;
    });
  }

  /** Whether such work has had its time, whoever did it. */
  get isSpent(): boolean {
    this.begin();
    return this.thread.now() - (this.begun ?? 0) >= this.milliseconds;
  }

  /** To be awaited between the small steps of long work: waits only when its time is spent. */
  async rest(): Promise<void> {
    if (this.isSpent) await this.giveWay();
  }

  /** Waits until others had their turn; from then on there is time again. */
  async giveWay(): Promise<void> {
    await this.thread.pause();
    // In a turn that ends by itself other such work may have begun, and the time is that of all.
    if (!this.thread.atTurnEnd) this.begun = undefined;
    this.begin();
  }
}
