import type { Lease } from './lease.ts';

/**
 * Whether the holder of a lease has ended, told by watching it. When a lease runs out by the clock says nothing by itself: the
 * machine may have slept with its holder, or somebody set the clock. A holder that lives prolongs its lease soon after; so time
 * counts in which this process was awake and saw the lease stand still.
 */
export class AbandonedLease {
  private readonly soonMs: number;
  private readonly lateMs: number;
  private seen: Lease | undefined;
  private watchedMs = 0;

  /** Abandoned after `soonMs` of standing still where it has run out by the clock, and after `lateMs` whatever the clock says. */
  constructor({ soonMs, lateMs }: { readonly soonMs: number; readonly lateMs: number }) {
    this.soonMs = soonMs;
    this.lateMs = lateMs;
  }

  /** This process was awake so long, having waited for nothing else. */
  watched(milliseconds: number): void {
    this.watchedMs += milliseconds;
  }

  forget(): void {
    this.seen = undefined;
  }

  /** The lease as it is now, and the time by the clock. */
  isAbandoned(lease: Lease, now: number): boolean {
    if (this.seen?.owner !== lease.owner || this.seen.until !== lease.until) {
      this.seen = lease;
      this.watchedMs = 0;
    }
    return this.watchedMs >= (lease.until <= now ? this.soonMs : this.lateMs);
  }
}
