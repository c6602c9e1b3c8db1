/** What happened in a simulated run, a line each, the same for the same seed. */
export class Trace {
  private readonly lines: string[] = [];
  private readonly now: () => number;
  private readonly start: number;

  constructor(now: () => number) {
    this.now = now;
    this.start = now();
  }

  say(line: string): void {
    this.lines.push(`${((this.now() - this.start) / 1000).toFixed(3).padStart(10)} ${line}`);
  }

  /** All lines, or so many of the last. */
  text(last = this.lines.length): string {
    const left = this.lines.length - last;
    return [...(left > 0 ? [`(${left} lines before)`] : []), ...this.lines.slice(-last)].join('\n');
  }
}
