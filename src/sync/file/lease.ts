import type { DatabaseSync } from 'node:sqlite';
import { rowOf } from './replicaRows.ts';

/** Who does something on behalf of all windows. */
interface Lease {
  /** What is done, for instance one project's sending. */
  readonly name: string;
  /** Random for each process that takes part. */
  readonly owner: string;
  /** A higher one takes over at once. */
  readonly rank: number;
  /** Milliseconds since the epoch from which on anyone may take it: its owner is taken to have died. */
  readonly until: number;
}

/** No lease is wanted for longer: one that goes on for longer is of a clock that was set back. */
export const LONGEST_LEASE_MS = 10 * 60 * 1000;

/** A lease that someone wants to have or to keep, for `LONGEST_LEASE_MS` at most. */
interface LeaseClaim extends Lease {
  readonly now: number;
}

/**
 * Takes a lease that is free, has run out, is held with a lower rank, or is the owner's own: then it is prolonged. Tells
 * whether the owner holds it now; one statement, so that of several windows one gets it.
 */
export function takeLease(database: DatabaseSync, { name, owner, rank, until, now }: LeaseClaim): boolean {
  const { changes } = database
    .prepare(
      `INSERT INTO lease (name, owner, rank, until) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT (name) DO UPDATE SET owner = ?2, rank = ?3, until = ?4
       WHERE owner = ?2 OR until <= ?5 OR until > ?6 OR rank < ?3`,
    )
    .run(name, owner, rank, until, now, now + LONGEST_LEASE_MS);
  return Number(changes) > 0;
}

/** Takes a lease from a holder that has not prolonged it since it was seen so; tells whether the owner holds it now. */
export function takeLeaseFrom(
  database: DatabaseSync,
  seen: Lease,
  { owner, rank, until }: Omit<Lease, 'name'>,
): boolean {
  const { changes } = database
    .prepare('UPDATE lease SET owner = ?3, rank = ?4, until = ?5 WHERE name = ?1 AND owner = ?2 AND until = ?6')
    .run(seen.name, seen.owner, owner, rank, until, seen.until);
  return Number(changes) > 0;
}

/** Prolongs a lease that the owner holds; `false`, and nothing changed, when another has it or it was given up. */
export function renewLease(database: DatabaseSync, { name, owner, until }: Omit<Lease, 'rank'>): boolean {
  const { changes } = database
    .prepare('UPDATE lease SET until = ?3 WHERE name = ?1 AND owner = ?2')
    .run(name, owner, until);
  return Number(changes) > 0;
}

/** Gives a lease up, so that nobody has to wait until it runs out; does nothing where another holds it. */
export function releaseLease(database: DatabaseSync, { name, owner }: Pick<Lease, 'name' | 'owner'>): void {
  database.prepare('DELETE FROM lease WHERE name = ? AND owner = ?').run(name, owner);
}

/** Who holds it, or held it until it ran out. */
export function leaseOf(database: DatabaseSync, name: string): Lease | undefined {
  const row = rowOf(database, 'SELECT owner, rank, until FROM lease WHERE name = ?', name);
  return row && { name, owner: String(row.owner), rank: Number(row.rank), until: Number(row.until) };
}

/**
 * Whether the holder of a lease has ended, told by watching it. When a lease runs out by the clock says nothing by itself: the
 * machine may have slept with its holder, or someone set the clock. A holder that lives prolongs its lease soon after; so time
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

/** Whether a process of this machine is still there; one of another user counts as well. */
export function isRunning(process: number): boolean {
  try {
    return globalThis.process.kill(process, 0);
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
