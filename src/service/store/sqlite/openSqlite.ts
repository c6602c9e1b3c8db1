import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { Kysely } from 'kysely';
import { type ServiceLog, silentServiceLog } from '../../ground/background.ts';
import { type Database, OWN_CALLER, seenQuery, versionIn } from '../database.ts';
import { migrate, newestSchema } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { SqliteConnections, sqliteDialect, sqliteTypes, type TransactionMode } from './sqliteDialect.ts';
import { isBusy, isHeldElsewhere } from './sqliteErrors.ts';
import { SqliteFiles } from './sqliteFiles.ts';

const OPEN_TRIES = 200;
/** Milliseconds. */
const LOCK_PATIENCE = 20_000;
/** So that a read of a long list, which lets others have their turn, does not keep them from the store. */
const READERS = 4;

export interface SqliteOptions {
  /** Milliseconds for which a write waits while another process holds the file. */
  readonly lockPatience?: number;
  /** Told what happens to the file, once. */
  readonly log?: ServiceLog;
  /** Milliseconds after which damage is looked for, beside the thread; never without it. */
  readonly searchAfter?: number;
}

/** Those of a file that is not there any more: to close the last one would take away what stands in its place now. */
const abandoned: DatabaseSync[] = [];

/**
 * Opens the database file, makes it when it is missing, and brings its schema up to date. Any number of processes may do
 * so at the same time. Throws `NewerSchemaError` when the file is from a newer version, `ForeignLogError` when its log is another's.
 */
export async function openSqlite(file: string, options: SqliteOptions = {}): Promise<Database> {
  const { log = silentServiceLog, lockPatience = LOCK_PATIENCE, searchAfter } = options;
  await refuseForeignLog(file);
  const files = new SqliteFiles(file, log);
  const connections: DatabaseSync[] = [];
  const open = async (): Promise<DatabaseSync> => {
    const connection = await openConnection(file);
    connections.push(connection);
    return connection;
  };
  let isClosed = false;
  const close = async (): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    files.stop();
    // Kysely leaves those open that were never used; the last one to close tidies the file up.
    const [last] = files.mayClose() ? [] : connections;
    if (last) abandoned.push(last);
    for (const one of connections) if (one !== last && one.isOpen) one.close();
    if (!last) files.close();
  };
  try {
    return await opened(files, open, close, { lockPatience, searchAfter, file });
  } catch (error) {
    await close();
    throw error;
  }
}

interface Opening {
  readonly file: string;
  readonly lockPatience: number;
  readonly searchAfter: number | undefined;
}

async function opened(
  files: SqliteFiles,
  open: () => Promise<DatabaseSync>,
  close: () => Promise<void>,
  { file, lockPatience, searchAfter }: Opening,
): Promise<Database> {
  const connection = await open();
  connection.exec('pragma busy_timeout = 0'); // SQLite would hold the thread while it waits; the dialect does not.
  const mode = { begin: 'immediate', beforeCommit: () => files.requireWritable() } as const;
  const writers = new SqliteConnections([connection], lockPatience);
  const writer = kysely(writers, mode);
  const schema = schemaOf(connection);
  files.watch(() => isWholeNow(() => connection.prepare('pragma quick_check(1)').get()?.quick_check));
  // Another process may write for long, as an import does; who has nothing to write does not wait for it.
  if (schema !== newestSchema)
    await writer()
      .transaction()
      .execute((tx) => migrate(tx, sqliteTypes, Date.now()));
  const readers = new SqliteConnections(await openReaders(open), lockPatience);
  const reader = kysely(readers, {
    begin: 'deferred',
    beforeCommit: () => undefined,
  });
  const watcher = await open();
  const dataVersion = watcher.prepare('pragma data_version');
  const seen = seenIn(watcher);
  const search = searchAfter === undefined ? undefined : searchLater(files, file, searchAfter);
  const failed = (error: unknown): never => files.failed(error);
  return {
    read: async (work, caller) => {
      files.requireLately('read');
      return reader(caller).transaction().execute(work).catch(failed);
    },
    write: async (work, caller) => {
      files.requireLately('write');
      return writer(caller).transaction().execute(work).catch(failed);
    },
    locksRows: false,
    stamp: () => {
      files.requireLately('read');
      try {
        return Number(dataVersion.get()?.data_version);
      } catch (error) {
        return failed(error);
      }
    },
    seen: async (asked) => {
      files.requireLately('read');
      return seen(asked).catch(failed);
    },
    pools: () => [
      { kind: 'read', ...readers.use() },
      { kind: 'write', ...writers.use() },
    ],
    requireWritable: async () => files.requireWritable(),
    close: async () => {
      await search?.end();
      await close();
    },
  };
}

/** Looks for damage once, a while after the start. */
function searchLater(files: SqliteFiles, file: string, milliseconds: number): { readonly end: () => Promise<unknown> } {
  let breakOff: (() => Promise<unknown>) | undefined;
  const timer = setTimeout(() => {
    breakOff = searchDamage(file, (message) => files.foundDamaged(message));
  }, milliseconds).unref();
  return {
    end: async () => {
      clearTimeout(timer);
      await breakOff?.();
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

/** What transactions of a caller are begun with; to make one costs less than a statement. */
function kysely(connections: SqliteConnections, mode: TransactionMode): (caller?: string) => Kysely<Schema> {
  return (caller = OWN_CALLER) => new Kysely<Schema>({ dialect: sqliteDialect(connections, mode, caller) });
}

/** The number of the last migration; 0 of a new file. */
function schemaOf(connection: DatabaseSync): number {
  const table = connection.prepare(`select 1 from sqlite_master where name = 'schemaVersions'`).get();
  const row = table && connection.prepare('select max(number) as newest from "schemaVersions"').get();
  return Number(row?.newest ?? 0);
}

async function openReaders(open: () => Promise<DatabaseSync>): Promise<readonly DatabaseSync[]> {
  const readers: DatabaseSync[] = [];
  while (readers.length < READERS) {
    const reader = await open();
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
      await pauseBetweenTries();
    }
  }
}

function pauseBetweenTries(): Promise<void> {
  return wait(5 + Math.random() * 45);
}

/** Of which database a file is; never changed once it is there (see `databaseId`). */
const ID = `select "value" as id from secrets where "name" = 'databaseId'`;

/** The log beside a database file was written for another database: SQLite would lay its pages over the file. Nothing was changed. */
class ForeignLogError extends Error {
  override readonly name = 'ForeignLogError';

  constructor(file: string) {
    const name = basename(file);
    super(
      `${file}-wal was written for another database than ${name}. Nothing was changed. Stop all services on this folder, move ${name}-wal and ${name}-shm away, and start again.`,
    );
  }
}

/**
 * Throws `ForeignLogError` where the log beside the file is of another database, as after a killed service, when a backup is copied to the
 * place of the file alone. SQLite's log does not say whose it is, so the id in the file is compared with the one that the log makes of it.
 * Neither is written. An older copy of the same database has the same id, and is not told apart.
 */
async function refuseForeignLog(file: string): Promise<void> {
  let wasForeign = false;
  for (let tries = 1; tries <= OPEN_TRIES; tries += 1) {
    const found = logOf(file);
    if (found === 'own') return;
    if (found === 'foreign' && wasForeign) throw new ForeignLogError(file);
    wasForeign = found === 'foreign'; // Another process may just be writing the one into the other.
    await pauseBetweenTries();
  }
}

/** Whose log lies beside the file, in so far as the file can be asked: one process may be taking it over from another that was killed. */
function logOf(file: string): 'own' | 'foreign' | 'busy' {
  if (!statSync(`${file}-wal`, { throwIfNoEntry: false })?.size || !statSync(file, { throwIfNoEntry: false })?.size)
    return 'own';
  const alone = pathToFileURL(file);
  alone.search = 'immutable=1'; // As it is without its log.
  const own = idIn(alone);
  if (own === undefined || own === 'unreadable') return 'own';
  const logged = idIn(file);
  if (own === 'busy' || logged === 'busy') return 'busy';
  return logged !== 'unreadable' && own?.id === logged?.id ? 'own' : 'foreign';
}

/** Undefined where none is found. */
function idIn(place: string | URL): { readonly id: string } | 'busy' | 'unreadable' | undefined {
  try {
    const database = new DatabaseSync(place, { readOnly: true });
    try {
      const found = database.prepare(ID).get()?.id;
      return found === undefined ? undefined : { id: String(found) };
    } finally {
      database.close();
    }
  } catch (error) {
    return isHeldElsewhere(error) ? 'busy' : 'unreadable';
  }
}

/** Runs by itself: it takes as long as reading the whole file does, and SQLite would hold the thread for it. */
const SEARCH = `
const { parentPort, workerData } = require('node:worker_threads');
const { DatabaseSync } = require('node:sqlite');
try {
  const file = new DatabaseSync(workerData, { readOnly: true, timeout: 1000 });
  parentPort.postMessage({ found: Object.values(file.prepare('pragma quick_check(1)').get() ?? {})[0] });
  file.close();
} catch (error) {
  parentPort.postMessage({ message: error.message, code: error.errcode });
}`;

const DAMAGED = [11, 26];
/** What SQLite finds fault with though all pages are whole: values that it would not take today. */
const WRONG_VALUE = /^(?:NULL|NUMERIC|TEXT) value in |^CHECK constraint/;

/** Looks through a whole SQLite file, beside the thread; `found` is told what is damaged, if anything is. What comes back breaks it off. */
function searchDamage(file: string, found: (message: string) => void): () => Promise<number> {
  const thread = new Worker(SEARCH, { eval: true, workerData: file });
  thread.on('error', () => undefined);
  thread.on('message', (said: { found?: unknown; message?: unknown; code?: unknown }) => {
    const message = damageIn(said);
    if (message !== undefined) found(message);
  });
  thread.unref();
  return () => thread.terminate();
}

function damageIn({
  found,
  message,
  code,
}: {
  found?: unknown;
  message?: unknown;
  code?: unknown;
}): string | undefined {
  if (typeof code === 'number') return DAMAGED.includes(code & 0xff) ? String(message) : undefined;
  return typeof found === 'string' && found !== 'ok' && !WRONG_VALUE.test(found) ? found : undefined;
}

/** Whether SQLite finds a file whole, while the thread is held. */
function isWholeNow(check: () => unknown): boolean {
  try {
    const found = check();
    return found === 'ok' || WRONG_VALUE.test(String(found));
  } catch {
    return false;
  }
}
