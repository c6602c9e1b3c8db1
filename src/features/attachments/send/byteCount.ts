interface ByteCountReport {
  readonly sent: number;
  readonly total: number;
  /** Whole percent, 0 to 100. */
  readonly percent: number;
  /** Percent since the report before; never negative, and never more than 100 in all. */
  readonly increment: number;
}

/** Adds up what several uploads have sent. A file whose upload ended without success counts no more as sent. */
export class ByteCount {
  private readonly total: number;
  private readonly sent = new Map<unknown, number>();
  private reported = 0;

  constructor(total: number) {
    this.total = total;
  }

  /** `sent` of the upload named `of`, so far. */
  count(of: unknown, sent: number): ByteCountReport {
    this.sent.set(of, sent);
    const sum = Math.min(
      this.total,
      [...this.sent.values()].reduce((all, one) => all + one, 0),
    );
    const percent = this.total === 0 ? 100 : Math.floor((sum / this.total) * 100);
    const increment = Math.max(0, percent - this.reported);
    this.reported += increment;
    return { sent: sum, total: this.total, percent, increment };
  }
}
