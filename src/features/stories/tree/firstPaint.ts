import { setTimeout as sleep } from 'node:timers/promises';

interface Times {
  /** No row was asked for in this time: VS Code has painted those it asked for before. */
  readonly quietMs: number;
  /** No longer is waited for it once nothing comes of it, as on a busy machine in between. */
  readonly mostMs: number;
  /** Milliseconds on a clock that nobody sets. */
  readonly now?: () => number;
}

const TIMES: Times = { quietMs: 150, mostMs: 3000 };

/**
 * Knows when VS Code has painted the rows from the top. It asks for the rows below several others in one go, and a row that is revealed
 * in between is asked for beside them: then answers get lost, or come to be shown below the row of another project.
 */
export class FirstPaint {
  private readonly times: Times;
  private readonly now: () => number;
  private open = 0;
  private hasRoots = false;
  private isOver = false;
  private lastAt = Number.NEGATIVE_INFINITY;
  /** When rows were asked for, handed out or made last. */
  private wentOnAt = Number.NEGATIVE_INFINITY;

  constructor(times: Times = TIMES) {
    this.times = times;
    this.now = times.now ?? (() => performance.now());
  }

  /** Whether a row can be revealed at once; later, too, since VS Code knows the rows above it from then on. */
  get isDone(): boolean {
    this.isOver ||= this.hasRoots && this.open === 0 && this.now() - this.lastAt >= this.times.quietMs;
    return this.isOver;
  }

  /** To be called when rows are asked for; what it gives back, once they are handed out. */
  noticeRequest(isRoot: boolean): () => void {
    this.open += 1;
    this.wentOnAt = this.now();
    return () => {
      this.open -= 1;
      this.noticeItem();
      if (isRoot) this.hasRoots = true;
    };
  }

  /** VS Code makes the item of a row: it is still at it. */
  noticeItem(): void {
    this.lastAt = this.now();
    this.wentOnAt = this.lastAt;
  }

  /** Resolves when all rows that were asked for have been painted, or nothing more has come of it for a while. */
  async done(): Promise<void> {
    const { quietMs, mostMs } = this.times;
    const begun = this.now();
    while (!this.isDone && this.now() < Math.max(begun, this.wentOnAt) + mostMs) await sleep(quietMs / 5);
  }
}
