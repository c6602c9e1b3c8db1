import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { BacklogLists, ReplicaAccount, ReplicaProject } from '../../core/replica/replica.ts';
import type { Story } from '../../core/story/story.ts';

type Row = Readonly<Record<string, unknown>>;

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** To make a statement takes longer than to run it; those asked here are few and come back every few seconds. */
function prepared(database: DatabaseSync, sql: string): StatementSync {
  const known = statements.get(database) ?? new Map<string, StatementSync>();
  statements.set(database, known);
  const statement = known.get(sql) ?? database.prepare(sql);
  known.set(sql, statement);
  return statement;
}

export function rowOf(database: DatabaseSync, sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
  return prepared(database, sql).get(...values);
}

export function rowsOf(database: DatabaseSync, sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
  return prepared(database, sql).all(...values);
}

/** A value that was written by `JSON.stringify` into this column of our own file. */
export function valueIn<T>(row: Row, column: string): T {
  return JSON.parse(String(row[column])) as T;
}

/** What of the replica a mark is about: which copy it is, and how far its changes go. */
export function stateOf(database: DatabaseSync): { readonly epoch: string; readonly revision: number } {
  const row = rowOf(database, 'SELECT epoch, revision FROM replica');
  return { epoch: String(row?.epoch), revision: Number(row?.revision) };
}

export function nextRevision(database: DatabaseSync): number {
  return Number(rowOf(database, 'UPDATE replica SET revision = revision + 1 RETURNING revision')?.revision);
}

/** The key of an account's rows; `undefined` when it has none, or only such from another address. */
export function accountKey(database: DatabaseSync, { accountId, address }: ReplicaAccount): number | undefined {
  const row = rowOf(database, 'SELECT key FROM account WHERE id = ? AND address = ?', accountId, address);
  return row && Number(row.key);
}

export function hasAccount(database: DatabaseSync, key: number): boolean {
  return rowOf(database, 'SELECT key FROM account WHERE key = ?', key) !== undefined;
}

/** As `accountKey`, made when there is none; what the account had at another address goes. */
export function madeAccountKey(database: DatabaseSync, account: ReplicaAccount): number {
  const key = accountKey(database, account);
  if (key !== undefined) return key;
  database.prepare('DELETE FROM account WHERE id = ?').run(account.accountId);
  const { lastInsertRowid } = database
    .prepare('INSERT INTO account (id, address) VALUES (?, ?)')
    .run(account.accountId, account.address);
  return Number(lastInsertRowid);
}

/** Which story stands where in a project; nowhere any when it was never read. */
export function listsIn(database: DatabaseSync, account: number, projectId: number): BacklogLists {
  const row = rowOf(database, 'SELECT value FROM lists WHERE account = ? AND project = ?', account, projectId);
  return row ? valueIn<BacklogLists>(row, 'value') : { iterations: [], icebox: [], done: [] };
}

/** A story as the replica has it; `undefined` when it is in none of the lists. */
export function storyIn(database: DatabaseSync, project: ReplicaProject, storyId: number): Story | undefined {
  const key = accountKey(database, project);
  if (key === undefined) return undefined;
  const sql = 'SELECT value FROM story WHERE account = ? AND project = ? AND id = ?';
  const row = rowOf(database, sql, key, project.projectId, storyId);
  return row && valueIn<Story>(row, 'value');
}

/** Takes over a story as a server has just answered it, to be read again with the next refresh: others may write too. */
export function putStory(database: DatabaseSync, project: ReplicaProject, story: Story): void {
  const key = accountKey(database, project);
  if (key === undefined) return;
  const revision = nextRevision(database);
  database
    .prepare(
      `UPDATE story SET unsureAt = ?1, revision = iif(value = ?2, revision, ?1), value = ?2
       WHERE account = ?3 AND project = ?4 AND id = ?5`,
    )
    .run(revision, JSON.stringify(story), key, project.projectId, story.id);
}
