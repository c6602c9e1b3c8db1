import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { migrate, newestSchema } from './migrate.ts';
import type { Schema } from './schema.ts';
import { seenQuery, versionIn } from './seenVersion.ts';
import { type BeginMode, sqliteDialect } from './sqliteDialect.ts';
import { isBusy } from './sqliteErrors.ts';
import { sqliteTypes } from './sqlTypes.ts';

const OPEN_TRIES = 200;
/** Milliseconds. */
const LOCK_PATIENCE = 20_000;
/** So that a read of a long list, which lets others have their turn, does not keep them from the store. */
const READERS = 4;

/**
 * Opens the database file, makes it when it is missing, and brings its schema up to date. Any number of processes may do
 * so at the same time. Throws `NewerSchemaError` when the file is from a newer version.
 */
export async function openSqlite(file: string, lockPatience = LOCK_PATIENCE): Promise<Database> {
  closeSync(openSync(file, 'a', 0o600));
  const connection = await openConnection(file);
  connection.exec('pragma busy_timeout = 0'); // SQLite would hold the thread while it waits; the dialect does not.
  const writer = kysely([connection], 'immediate', lockPatience);
  try {
    // Another process may write for long, as an import does; who has nothing to write does not wait for it.
    if (schemaOf(connection) !== newestSchema) {
      await writer.transaction().execute((tx) => migrate(tx, sqliteTypes, Date.now()));
    }
  } catch (error) {
    await writer.destroy();
    throw error;
  }
  const readers = await openReaders(file);
  const reader = kysely(readers, 'deferred', lockPatience);
  const watcher = await openConnection(file);
  const dataVersion = watcher.prepare('pragma data_version');
  return {
    read: (work) => reader.transaction().execute(work),
    write: (work) => writer.transaction().execute(work),
    locksRows: false,
    stamp: () => Number(dataVersion.get()?.data_version),
    seen: seenIn(watcher),
    close: async () => {
      await reader.destroy();
      await writer.destroy();
      // Kysely leaves those open that were never used; the last one to close tidies the file up.
      for (const one of [...readers, connection, watcher]) if (one.isOpen) one.close();
    },
  };
}

/** Answers at once, with a statement that is prepared once. */
function seenIn(connection: DatabaseSync): Database['seen'] {
  const statements = new Map<string, StatementSync>();
  return async (reader) => {
    const { name, text, values } = seenQuery(reader);
    const statement = statements.get(name) ?? connection.prepare(text.replaceAll(/\$\d/g, '?'));
    statement.setReturnArrays(true);
    statements.set(name, statement);
    return versionIn(statement.all(...values).map((row) => Object.values(row)));
  };
}

function kysely(connections: readonly DatabaseSync[], begin: BeginMode, lockPatience: number): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: sqliteDialect(connections, begin, lockPatience) });
}

/** The number of the last migration; 0 of a new file. */
function schemaOf(connection: DatabaseSync): number {
  const table = connection.prepare(`select 1 from sqlite_master where name = 'schemaVersions'`).get();
  const row = table && connection.prepare('select max(number) as newest from "schemaVersions"').get();
  return Number(row?.newest ?? 0);
}

async function openReaders(file: string): Promise<readonly DatabaseSync[]> {
  const readers: DatabaseSync[] = [];
  while (readers.length < READERS) {
    const reader = await openConnection(file);
    reader.exec('pragma query_only = on');
    readers.push(reader);
  }
  return readers;
}

/** Switching a new file to WAL can meet another process doing the same; SQLite then says busy at once. */
async function openConnection(file: string): Promise<DatabaseSync> {
  for (let tries = 1; ; tries += 1) {
    const connection = new DatabaseSync(file);
    try {
      connection.exec('pragma busy_timeout = 100');
      connection.exec('pragma journal_mode = wal');
      connection.exec('pragma synchronous = full');
      connection.exec('pragma foreign_keys = on');
      return connection;
    } catch (error) {
      connection.close();
      if (!isBusy(error) || tries >= OPEN_TRIES) throw error;
      await wait(5 + Math.random() * 45);
    }
  }
}
