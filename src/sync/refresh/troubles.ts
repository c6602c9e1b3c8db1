import type { DatabaseSync } from 'node:sqlite';
import { failureMeans, messageOf, TrackerError } from '../../core/errors.ts';
import type { Trouble } from '../../core/replica/polling.ts';
import { rowsOf, valueIn } from '../file/replicaRows.ts';

/** As the replica keeps it, for all windows. */
export interface KnownTrouble extends Trouble {
  /** In a row. */
  readonly failures: number;
  /** Milliseconds that the server asked us to wait. */
  readonly retryAfter?: number;
}

type Value = Pick<KnownTrouble, 'kind' | 'message' | 'retryAfter'>;

/** The row of an account's list of projects stands at this id. */
const LIST = 0;
/** Failures closer together count as one: someone retried several times. */
const SAME_MS = 4000;
/** Whether it is no project's own: the next one would fail in the same way. */
export function isOfTheServer({ kind }: Pick<Trouble, 'kind'>): boolean {
  return failureMeans(kind, 'everyProject');
}

export function troublesOf(database: DatabaseSync, account: number): readonly KnownTrouble[] {
  const rows = rowsOf(database, 'SELECT * FROM trouble WHERE account = ? ORDER BY project', account);
  return rows.map((row) => ({
    ...valueIn<Value>(row, 'value'),
    failures: Number(row.failures),
    at: Number(row.at),
    ...(row.project !== LIST && { projectId: Number(row.project) }),
  }));
}

/** Without a project, of the list of projects. */
export function putTrouble(
  database: DatabaseSync,
  { account, projectId = LIST, thrown, now }: TroublePlace & { readonly thrown: unknown; readonly now: number },
): void {
  database
    .prepare(
      `INSERT INTO trouble (account, project, value, failures, at) VALUES (?1, ?2, ?3, 1, ?4)
       ON CONFLICT (account, project) DO UPDATE SET
         value = ?3, failures = failures + (abs(?4 - at) >= ?5), at = ?4`,
    )
    .run(account, projectId, JSON.stringify(noted(thrown)), now, SAME_MS);
}

export function removeTrouble(database: DatabaseSync, { account, projectId = LIST }: TroublePlace): void {
  database.prepare('DELETE FROM trouble WHERE account = ? AND project = ?').run(account, projectId);
}

/** Of projects that left the list. */
export function removeStrayTroubles(database: DatabaseSync, account: number): void {
  database
    .prepare(
      `DELETE FROM trouble WHERE account = ?1 AND project <> ${LIST}
       AND project NOT IN (SELECT id FROM project WHERE account = ?1)`,
    )
    .run(account);
}

interface TroublePlace {
  readonly account: number;
  readonly projectId?: number;
}

function noted(thrown: unknown): Value {
  if (!(thrown instanceof TrackerError)) return { kind: 'server', message: messageOf(thrown) };
  const { kind, message, retryAfter } = thrown;
  return { kind, message, ...(retryAfter !== undefined && { retryAfter }) };
}
