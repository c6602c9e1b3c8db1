import type { DatabaseSync } from 'node:sqlite';
import type { Intent } from '../../core/intents/intent.ts';
import { needlessMoves } from '../../core/intents/intentRules.ts';
import type { EntryProblem, EntryState, OutboxEntry } from '../../core/outbox/outbox.ts';
import type { ReplicaProject } from '../../core/replica/replica.ts';
import { rowOf, rowsOf, valueIn } from '../file/replicaRows.ts';

/** What was so before an intent was first sent, for telling later whether it was done. */
export interface Before {
  /** The story's comments, before a comment. */
  readonly noteIds?: readonly number[];
  /** The story's tasks, before a new one. */
  readonly taskIds?: readonly number[];
  /** The stories of the same name and type, before a new one. */
  readonly storyIds?: readonly number[];
  /** The day, in the protocol's form and by the server's own clock, since which those were looked for; absent for all of them. */
  readonly createdSince?: string;
  /** The number of the new story that the server has made, while something is left to be done with it. */
  readonly createdId?: number;
  /** The values of the fields that are edited, as `comparableField` tells them. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** An entry with what only the sender needs. */
export interface OutboxRow extends OutboxEntry {
  /** Of the call that added it. */
  readonly batch: string;
  /** When it was sent and never answered, so that nobody knows whether it was done. */
  readonly sentAt?: number;
  readonly before?: Before;
}

type Lane = readonly [accountId: string, address: string, projectId: number];

const OF_LANE = 'accountId = ?1 AND address = ?2 AND project = ?3';
const laneOf = ({ accountId, address, projectId }: ReplicaProject): Lane => [accountId, address, projectId];

interface NewRow {
  readonly id: string;
  readonly batch: string;
  readonly project: ReplicaProject;
  readonly intent: Intent;
  readonly addedAt: number;
  /** It was sent before, by an entry that is gone, and never answered. */
  readonly doubt?: Doubt;
}

/** What is known of an intent that was sent and never answered. */
export interface Doubt {
  readonly sentAt: number;
  readonly before: Before;
}

export function insertRow(database: DatabaseSync, { id, batch, project, intent, addedAt, doubt }: NewRow): void {
  const before = doubt ? JSON.stringify(doubt.before) : null;
  database
    .prepare(
      `INSERT INTO outbox (id, batch, accountId, address, project, intent, state, addedAt, attempts, sentAt, before)
       VALUES (?, ?, ?, ?, ?, ?, 'waiting', ?, 0, ?, ?)`,
    )
    .run(id, batch, ...laneOf(project), JSON.stringify(intent), addedAt, doubt?.sentAt ?? null, before);
}

/** An entry that was refused before it was one. */
export function insertFailedRow(database: DatabaseSync, row: NewRow, problem: EntryProblem): void {
  insertRow(database, row);
  const sql = `UPDATE outbox SET state = 'failed', problem = ? WHERE id = ?`;
  database.prepare(sql).run(JSON.stringify(problem), row.id);
}

/** Every entry, in the order of sending within each project. */
export function allRows(database: DatabaseSync): readonly OutboxRow[] {
  return rowsOf(database, 'SELECT * FROM outbox ORDER BY place').map(fromRow);
}

export function rowById(database: DatabaseSync, id: string): OutboxRow | undefined {
  const row = rowOf(database, 'SELECT * FROM outbox WHERE id = ?', id);
  return row && fromRow(row);
}

/** What a project has to send, in the order of sending. */
export function rowsOfLane(database: DatabaseSync, project: ReplicaProject): readonly OutboxRow[] {
  const sql = `SELECT * FROM outbox WHERE ${OF_LANE} AND state <> 'failed' ORDER BY place`;
  return rowsOf(database, sql, ...laneOf(project)).map(fromRow);
}

/** The first of them. */
export function headOf(database: DatabaseSync, project: ReplicaProject): OutboxRow | undefined {
  const sql = `SELECT * FROM outbox WHERE ${OF_LANE} AND state <> 'failed' ORDER BY place LIMIT 1`;
  const row = rowOf(database, sql, ...laneOf(project));
  return row && fromRow(row);
}

/** Begins an attempt. Its number tells its outcome from that of a later one, by whomever. */
export function pickRow(database: DatabaseSync, { id }: OutboxRow): OutboxRow | undefined {
  const sql = `UPDATE outbox SET state = 'sending', attempts = attempts + 1, nextAt = NULL WHERE id = ? RETURNING *`;
  const row = rowOf(database, sql, id);
  return row && fromRow(row);
}

/** Writes down that it is sent now, and, where no earlier sending is in doubt, what was so before. `false` when the attempt is not the latest one any more. */
export function markSent(database: DatabaseSync, { id, attempts }: OutboxRow, at: number, before?: Before): boolean {
  const { changes } = database
    .prepare(`UPDATE outbox SET sentAt = ?1, before = iif(sentAt IS NULL, coalesce(?2, before), coalesce(before, ?2))
       WHERE id = ?3 AND attempts = ?4`)
    .run(at, before ? JSON.stringify(before) : null, id, attempts);
  return Number(changes) > 0;
}

/** Writes down the number of the story that an attempt has made. */
export function noteCreated(database: DatabaseSync, { id }: OutboxRow, storyId: number): void {
  const sql = `UPDATE outbox SET before = json_set(coalesce(before, '{}'), '$.createdId', ?) WHERE id = ?`;
  database.prepare(sql).run(storyId, id);
}

/** Gives a new story that waits to be put next to another new one the number of that. */
export function numberBeside(
  database: DatabaseSync,
  project: ReplicaProject,
  pendingId: number,
  storyId: number,
): void {
  const sql = `UPDATE outbox SET intent = json_set(intent, '$.beside.targetId', ?4)
    WHERE ${OF_LANE} AND intent ->> '$.kind' = 'newStory' AND intent ->> '$.beside.targetId' = ?5`;
  database.prepare(sql).run(...laneOf(project), storyId, pendingId);
}

interface Delay {
  readonly problem?: EntryProblem;
  readonly nextAt?: number;
  /** It is certain that the server has not done it. */
  readonly isUndone: boolean;
}

/** Puts an attempt's entry back into its place to wait, unless another attempt has begun since. */
export function delayRow(
  database: DatabaseSync,
  { id, attempts }: OutboxRow,
  { problem, nextAt, isUndone }: Delay,
): void {
  database
    .prepare(
      `UPDATE outbox SET state = 'waiting', problem = ?, nextAt = ?, sentAt = iif(?, NULL, sentAt)
       WHERE id = ? AND attempts = ?`,
    )
    .run(problem ? JSON.stringify(problem) : null, nextAt ?? null, isUndone ? 1 : 0, id, attempts);
}

/**
 * Fails an attempt's entry, and with it what was added behind it in the same call. Not so when another attempt has begun
 * since. What is known of an earlier sending that was never answered stays with `isDoubtful`, and with those behind.
 */
export function failRows(
  database: DatabaseSync,
  { id, attempts, batch, place }: OutboxRow,
  problem: EntryProblem,
  isDoubtful: boolean,
): void {
  if (rowOf(database, 'SELECT id FROM outbox WHERE id = ? AND attempts = ?', id, attempts) === undefined) return;
  database
    .prepare(
      `UPDATE outbox SET state = 'failed', problem = ?1, nextAt = NULL,
         sentAt = iif(place = ?3 AND ?4, NULL, sentAt), before = iif(place = ?3 AND ?4, NULL, before)
       WHERE batch = ?2 AND place >= ?3`,
    )
    .run(JSON.stringify(problem), batch, place, isDoubtful ? 0 : 1);
}

/** Forgets an entry; `false` when it was gone. */
export function deleteRow(database: DatabaseSync, id: string): boolean {
  return Number(database.prepare('DELETE FROM outbox WHERE id = ?').run(id).changes) > 0;
}

/** Makes an entry that waits or failed go out as soon as it is its turn; `isAnew` forgets why it did. */
export function hastenRow(database: DatabaseSync, id: string, isAnew: boolean): void {
  const set = isAnew ? "state = 'waiting', problem = NULL, nextAt = NULL" : 'nextAt = NULL';
  database.prepare(`UPDATE outbox SET ${set} WHERE id = ? AND state <> 'sending'`).run(id);
}

function fromRow(row: Readonly<Record<string, unknown>>): OutboxRow {
  const { accountId, address, project } = row;
  return {
    id: String(row.id),
    place: Number(row.place),
    batch: String(row.batch),
    project: { accountId: String(accountId), address: String(address), projectId: Number(project) },
    intent: valueIn<Intent>(row, 'intent'),
    state: stateIn(row.state),
    addedAt: Number(row.addedAt),
    attempts: Number(row.attempts),
    ...(row.nextAt !== null && { nextAt: Number(row.nextAt) }),
    ...(row.problem !== null && { problem: valueIn<EntryProblem>(row, 'problem') }),
    ...(row.sentAt !== null && { sentAt: Number(row.sentAt) }),
    ...(row.before !== null && { before: valueIn<Before>(row, 'before') }),
  };
}

function stateIn(text: unknown): EntryState {
  return text === 'sending' || text === 'failed' ? text : 'waiting';
}

/** As those who only look at entries may know them. */
export function entryOf({ batch: _batch, sentAt: _sentAt, before: _before, ...entry }: OutboxRow): OutboxEntry {
  return entry;
}

/** What a project has to send that a later move makes needless, none of it ever sent. */
export function needlessRows(database: DatabaseSync, project: ReplicaProject): readonly OutboxRow[] {
  const rows = rowsOfLane(database, project);
  const waiting = rows.map(({ intent, state, sentAt }) => ({
    intent,
    mayGo: state === 'waiting' && sentAt === undefined,
  }));
  return needlessMoves(waiting).flatMap((index) => rows[index] ?? []);
}
