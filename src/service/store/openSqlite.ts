import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { Kysely } from 'kysely';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import type { Schema } from './schema.ts';
import { type BeginMode, sqliteDialect } from './sqliteDialect.ts';
import { isBusy } from './sqliteErrors.ts';
import { sqliteTypes } from './sqlTypes.ts';

const OPEN_TRIES = 200;

/**
 * Opens the database file, makes it when it is missing, and brings its schema up to date. Any number of processes may do
 * so at the same time. Throws `NewerSchemaError` when the file is from a newer version.
 */
export async function openSqlite(file: string): Promise<Database> {
  closeSync(openSync(file, 'a', 0o600));
  const writer = await open(file, 'immediate');
  try {
    await writer.db.transaction().execute((tx) => migrate(tx, sqliteTypes, Date.now()));
  } catch (error) {
    await writer.db.destroy();
    throw error;
  }
  const reader = await open(file, 'deferred');
  reader.connection.exec('pragma query_only = on');
  const watcher = await openConnection(file);
  const dataVersion = watcher.prepare('pragma data_version');
  return {
    read: (work) => reader.db.transaction().execute(work),
    write: (work) => writer.db.transaction().execute(work),
    stamp: () => Number(dataVersion.get()?.data_version),
    close: async () => {
      await reader.db.destroy();
      await writer.db.destroy();
      watcher.close();
    },
  };
}

async function open(file: string, begin: BeginMode): Promise<{ connection: DatabaseSync; db: Kysely<Schema> }> {
  const connection = await openConnection(file);
  return { connection, db: new Kysely<Schema>({ dialect: sqliteDialect(connection, begin) }) };
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
