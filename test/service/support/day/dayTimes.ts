import { quantile } from '../../../bench/support/statistics.ts';

/** What is asked of the service in a day. */
export type DayKind =
  | 'activities'
  | 'story'
  | 'backlog'
  | 'new story'
  | 'edit'
  | 'comment'
  | 'move'
  | 'upload'
  | 'import';

/** How long each kind of request took, in milliseconds, and how many had no answer that helps. */
export class DayTimes {
  private readonly taken = new Map<DayKind, number[]>();
  private readonly failed = new Map<DayKind, number>();

  /** Gives what `work` gives, and notes how long that took. Throws what it throws, which counts as no answer. */
  async note<T>(kind: DayKind, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    try {
      const answer = await work();
      const taken = this.taken.get(kind) ?? [];
      this.taken.set(kind, taken);
      taken.push(performance.now() - begun);
      return answer;
    } catch (thrown) {
      this.failed.set(kind, (this.failed.get(kind) ?? 0) + 1);
      throw thrown;
    }
  }

  /** Requests of this kind that were answered. */
  answered(kind: DayKind): number {
    return this.taken.get(kind)?.length ?? 0;
  }

  /** A line for each kind. */
  get table(): string {
    const lines = [...this.taken].map(([kind, taken]) => {
      const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => quantile(taken, part).toFixed(0).padStart(6));
      const failed = String(this.failed.get(kind) ?? 0).padStart(6);
      return `${kind.padEnd(12)}${String(taken.length).padStart(8)}${p50}${p95}${p99}${failed}`;
    });
    return [`${'kind'.padEnd(12)}answered   p50   p95   p99  none`, ...lines.sort()].join('\n');
  }
}
