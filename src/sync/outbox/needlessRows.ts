import type { DatabaseSync } from 'node:sqlite';
import { needlessMoves } from '../../core/intents/intentOrder.ts';
import type { ReplicaProject } from '../../core/replica/replica.ts';
import { type OutboxRow, rowsOfLane } from './outboxRows.ts';

/** What a project has to send that a later move makes needless, none of it ever sent. */
export function needlessRows(database: DatabaseSync, project: ReplicaProject): readonly OutboxRow[] {
  const rows = rowsOfLane(database, project);
  const waiting = rows.map(({ intent, state, sentAt }) => ({
    intent,
    mayGo: state === 'waiting' && sentAt === undefined,
  }));
  return needlessMoves(waiting).flatMap((index) => rows[index] ?? []);
}
