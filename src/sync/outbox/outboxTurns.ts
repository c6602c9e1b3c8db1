import type { DatabaseSync } from 'node:sqlite';
import { failureMeans, TrackerError } from '../../core/errors.ts';
import { isOrderKept } from '../../core/intents/intentRules.ts';
import type { EntryProblem } from '../../core/outbox/outbox.ts';
import type { ReplicaProject } from '../../core/replica/replica.ts';
import { headOf, type OutboxRow, rowsOfLane } from './outboxRows.ts';

/** So often in a row a server fails at an entry before others may overtake it. */
const PATIENCE = 5;
/** With more of them it is the server that is ill, and not the entries. */
const ASIDE = 3;
/** How long a server that takes others in the meantime may fail at an entry before that is failed, and one that takes none. */
const FAILS_AFTER_MS = { passed: 10 * 60_000, alone: 6 * 60 * 60_000 };

/** Which entry of a project goes next, and which waits for another than that. */
interface Turns {
  readonly next: OutboxRow | undefined;
  /** By the id of an entry that may not go: the one that holds it, perhaps itself. */
  readonly heldBy: ReadonlyMap<string, OutboxRow>;
}

/**
 * In the order in which they were added; but what a server has failed at again and again lets those go by whose order with it
 * does not matter, so that one entry that makes the server stumble does not hold up a project.
 */
export function turnsOf(database: DatabaseSync, project: ReplicaProject, now: number): Turns {
  const head = headOf(database, project);
  if (!head || !isStuck(head)) return { next: head, heldBy: new Map() };
  const rows = rowsOfLane(database, project);
  const stuck = rows.filter(isStuck);
  const soonest = stuck.toSorted((one, other) => (one.nextAt ?? 0) - (other.nextAt ?? 0))[0] ?? head;
  if (stuck.length > ASIDE || (soonest.nextAt ?? 0) <= now) return { next: soonest, heldBy: new Map() };
  const heldBy = new Map<string, OutboxRow>();
  const held: OutboxRow[] = [];
  for (const row of rows) {
    const holder = isStuck(row) ? row : held.find((one) => isBehind(row, one));
    if (!holder) return { next: row, heldBy };
    heldBy.set(row.id, heldBy.get(holder.id) ?? holder);
    held.push(row);
  }
  return { next: soonest, heldBy };
}

function isBehind(row: OutboxRow, held: OutboxRow): boolean {
  return row.batch === held.batch || isOrderKept(row.intent, held.intent);
}

/** A server failed at it again and again. */
export function isStuck({ problem }: Pick<OutboxRow, 'problem'>): boolean {
  return (problem?.times ?? 0) >= PATIENCE;
}

/** The problem with how often in a row it was that the server failed, where it did. */
export function countedProblem(thrown: unknown, problem: EntryProblem, before: EntryProblem | undefined, now: number) {
  if (!isServersFault(thrown, problem)) return problem;
  const { times = 0, since = now, isPassed } = before ?? {};
  return { ...problem, times: times + 1, since, ...(isPassed && { isPassed }) };
}

function isServersFault(thrown: unknown, { kind }: EntryProblem): boolean {
  const isStatus = thrown instanceof TrackerError && (thrown.status ?? 0) >= 500;
  return isStatus || failureMeans(kind, 'serverFault');
}

/** Whether it has become clear that trying again by itself leads nowhere. */
export function isHopeless({ times = 0, since = 0, isPassed = false }: EntryProblem, now: number): boolean {
  return times >= PATIENCE && now - since >= (isPassed ? FAILS_AFTER_MS.passed : FAILS_AFTER_MS.alone);
}

/** Notes at what a server has failed that it has taken something else. */
export function markPassed(database: DatabaseSync, project: ReplicaProject): void {
  const update = database.prepare('UPDATE outbox SET problem = ? WHERE id = ?');
  for (const { id, problem } of rowsOfLane(database, project).filter(isStuck)) {
    update.run(JSON.stringify({ ...problem, isPassed: true }), id);
  }
}

const FIRST = 1_000;
const LONGEST = 5 * 60_000;
const SHORTEST = 250;
/** No server is obeyed for longer; what is to wait longer was told by a clock that was set back. */
export const LONGEST_WAIT_MS = 60 * 60_000;

/**
 * Milliseconds until the next of `attempts` failed ones: full jitter, so that windows and machines which lost a server at the
 * same moment do not come back at the same moment, and not sooner than the server asked for, within `LONGEST_WAIT_MS`.
 */
export function backOff(attempts: number, random: () => number, retryAfter = 0): number {
  const ceiling = Math.min(LONGEST, FIRST * 2 ** Math.min(attempts, 20));
  return Math.ceil(Math.max(SHORTEST, random() * ceiling, Math.min(retryAfter, LONGEST_WAIT_MS)));
}
