import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { type PoolConfig, types } from 'pg';
import { StoreUnavailable } from '../../ground/errors.ts';
import { type Database, OWN_CALLER, type Reader, seenQuery, type Tx, versionIn } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Schema } from '../schema.ts';
import { TransactionEnd } from '../transactionEnd.ts';
import { ConnectionPool, shareConnections, withConnectionRetries } from './connectionPool.ts';
import { SESSION_NAME, WRITER_NAME } from './connectionShare.ts';
import { isOfDatabase, isRefusedEnd, postgresDialect, postgresTypes, type TransactionMode } from './postgresDialect.ts';
import { isLostRace, isUnavailable, sqlState } from './postgresErrors.ts';
import { latestAnswer, ReconnectingClient, type ShortStatement } from './shortQuestions.ts';
import { type Pace, SoleWriter } from './soleWriter.ts';

const READERS = 8;
const WRITERS = 4;
/** How often a write that lost a race is begun anew. */
const TRIES = 10;
/** Milliseconds for which a write waits for others. */
const LOCK_PATIENCE = 20_000;
/** Milliseconds after which the server takes back the locks of a process that says nothing more. */
const SILENCE = 30_000;
/** Milliseconds for which a connection that nobody uses is kept: others may need one. One of each kind stays. */
const IDLE = 20_000;
/** How much longer than for a lock is waited for any answer: the way to the server may be lost without a word. */
const PATIENCE = 3;
const FIRST_PROBE = 10_000;
const OLDEST_SERVER = 13;
/** Names the lock under which the schema is changed; any number that nobody else uses in this database. */
const SCHEMA_LOCK = 7_120_531_964;

const BEGIN_READING = ['begin isolation level repeatable read, read only'];
const BEGIN_WRITING = 'begin isolation level read committed, read write';
const READ: TransactionMode = { begin: () => BEGIN_READING, isReadOnly: true };
const WRITE_UNSEEN: TransactionMode = { begin: () => [BEGIN_WRITING], isReadOnly: false };

const NOT_NOW = 'The database of this service is not available right now. Nothing was changed. Try again in a moment.';
const UNKNOWN_FATE =
  'The connection to the database was lost while this was being written. Check whether it was saved before you try again.';

interface PostgresOptions {
  /** Milliseconds. */
  readonly lockPatience?: number | undefined;
  readonly pace?: Pace | undefined;
  /** Whether to throw, and make nothing, where the database holds no tables of ours. */
  readonly mustExist?: boolean | undefined;
}

/**
 * Opens a PostgreSQL database and brings its schema up to date. Any number of processes may do so at the same time. Throws
 * `NewerSchemaError` when the schema is from a newer version, and what the driver says when the database cannot be reached.
 */
export async function openPostgres(
  address: string,
  { lockPatience = LOCK_PATIENCE, pace, mustExist = false }: PostgresOptions = {},
): Promise<Database> {
  const session = { ...settings(address, lockPatience), query_timeout: lockPatience };
  const sole = await withConnectionRetries(lockPatience, () =>
    SoleWriter.join({ ...session, application_name: WRITER_NAME }, pace),
  );
  try {
    await prepared(address, lockPatience, mustExist);
  } catch (error) {
    await sole.stop();
    throw error;
  }
  const writers = openPool(address, WRITERS, lockPatience, PATIENCE * lockPatience);
  const readers = openPool(address, READERS, lockPatience, PATIENCE * lockPatience);
  const watcher = new ReconnectingClient(session, lockPatience);
  const begin = () => [BEGIN_WRITING, sole.lock];
  const writer = (end: TransactionEnd, caller?: string) => kysely(writers, { begin, isReadOnly: false, end })(caller);
  const reader = kysely(readers, READ);
  const endShares = shareConnections(readers, writers);
  const close = async (): Promise<void> => {
    endShares();
    // Kysely ends no pool that it did not use itself.
    await Promise.all([writers.end(), readers.end(), watcher.end(), sole.stop()]);
  };
  const stamp = latestAnswer(() => snapshotOf(watcher));
  return {
    read: (work, caller) => reader(caller).transaction().execute(work).catch(workFailed),
    write: (work, caller) => written((end) => writer(end, caller), sole, work),
    locksRows: true,
    stamp: () => sole.stamp ?? stamp().catch(unavailable),
    seen: (asked, caller) => seenBy(readers, asked, caller).catch(unavailable),
    pools: () => [
      { kind: 'read', ...readers.use() },
      { kind: 'write', ...writers.use() },
    ],
    requireWritable: async () => undefined,
    close,
  };
}

/** What transactions of a caller are begun with; to make one costs far less than a round trip. */
function kysely(pool: ConnectionPool, mode: TransactionMode): (caller?: string) => Kysely<Schema> {
  return (caller = OWN_CALLER) => new Kysely<Schema>({ dialect: postgresDialect(pool, mode, caller) });
}

/** Brings the schema up to date, however long that takes. */
async function prepared(address: string, lockPatience: number, mustExist: boolean): Promise<void> {
  const pool = openPool(address, 1, lockPatience);
  const db = kysely(pool, WRITE_UNSEEN)();
  try {
    await refuseOldServer(pool);
    if (mustExist) await refuseEmpty(pool);
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${SCHEMA_LOCK})`.execute(tx);
      await migrate(tx, postgresTypes, Date.now());
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Locks are taken as the work goes: first its projects, last of all the counter of activities, so that versions are committed in
 * rising order. Who reads after taking a lock sees all that was committed before it was given.
 */
async function written<T>(
  writer: (end: TransactionEnd) => Kysely<Schema>,
  sole: SoleWriter,
  work: (tx: Tx, end: TransactionEnd) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    let isDone = false;
    try {
      const end = new TransactionEnd();
      const made = await writer(end)
        .transaction()
        .execute(async (tx) => {
          const result = await work(tx, end);
          isDone = true;
          return result;
        });
      sole.noteChange();
      return made;
    } catch (error) {
      if (isRefusedEnd(error)) isDone = false;
      if (isDone && !isRefused(error)) sole.doubt();
      if (!isLostRace(error) || tries >= TRIES) workFailed(error, isDone);
      await wait(Math.random() * 10 * 2 ** Math.min(tries, 5));
    }
  }
}

const SNAPSHOT: ShortStatement = { name: 'snapshot', text: 'select pg_current_snapshot()::text' };

/** Whether the server said that it committed nothing. */
function isRefused(error: unknown): boolean {
  return sqlState(error) !== undefined && !isUnavailable(error);
}

/**
 * What is visible to a query now, in PostgreSQL's words, and in which session it was asked: equal texts mean that nothing was committed
 * in between. Words alone come again where a server is set back to an earlier state, as by a replica that takes over too soon.
 */
async function snapshotOf(watcher: ReconnectingClient): Promise<string> {
  const { rows, session } = await watcher.ask(SNAPSHOT);
  return `${session} ${rows[0]?.[0]}`;
}

/** The same for work in which other things than the database may fail, such as files and pipes, whose codes are alike. */
function workFailed(error: unknown, isDone = false): never {
  if (isOfDatabase(error)) unavailable(error, isDone);
  throw error;
}

/** Throws the error, as one that says to try again where that is right. */
function unavailable(error: unknown, isDone = false): never {
  if (!isUnavailable(error)) throw error;
  throw new StoreUnavailable(isDone ? UNKNOWN_FATE : NOT_NOW, { cause: error });
}

/**
 * With what a connection begins: statements that are sent behind a `begin` change nothing should the server refuse that, as they do
 * whenever they are not in a transaction that is to write.
 */
function withOwnOptions(address: string): string {
  const given = new URLSearchParams(address.split('?')[1]).get('options') ?? process.env.PGOPTIONS ?? '';
  const options = encodeURIComponent(`${given} -c default_transaction_read_only=on`.trim());
  return `${address}${address.includes('?') ? '&' : '?'}options=${options}`;
}

/** Outside of transactions, since one statement is one view. */
async function seenBy(pool: ConnectionPool, reader: Reader, caller = OWN_CALLER): Promise<string | undefined> {
  const { values, ...query } = seenQuery(reader);
  const client = await pool.connect(caller);
  let isBroken = false;
  try {
    const { rows } = await client.query<unknown[]>({ ...query, values: [...values], rowMode: 'array' });
    return versionIn(rows);
  } catch (error) {
    isBroken = isUnavailable(error);
    throw error;
  } finally {
    pool.release(client, isBroken);
  }
}

function openPool(address: string, max: number, lockPatience: number, patience?: number): ConnectionPool {
  return new ConnectionPool({
    ...settings(address, lockPatience),
    max,
    min: 1,
    idleTimeoutMillis: IDLE,
    pipeline: true,
    ...(patience !== undefined && { query_timeout: patience }),
    types: { getTypeParser },
  });
}

function settings(address: string, lockPatience: number) {
  return {
    connectionString: withOwnOptions(address),
    application_name: SESSION_NAME,
    connectionTimeoutMillis: lockPatience,
    keepAlive: true,
    keepAliveInitialDelayMillis: FIRST_PROBE,
    lock_timeout: lockPatience,
    idle_in_transaction_session_timeout: SILENCE,
  } satisfies PoolConfig;
}

async function refuseOldServer(pool: ConnectionPool): Promise<void> {
  const client = await pool.connect();
  const { rows } = await client.query('show server_version_num').finally(() => pool.release(client));
  const version = Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  if (version < OLDEST_SERVER) throw new Error(`PostgreSQL ${OLDEST_SERVER} or newer is required. This is ${version}.`);
}

async function refuseEmpty(pool: ConnectionPool): Promise<void> {
  const client = await pool.connect();
  const { rows } = await client
    .query(`select to_regclass('"schemaVersions"') is not null as "isThere"`)
    .finally(() => pool.release(client));
  if (rows[0]?.isThere !== true)
    throw new Error('Could not find data in this database. Pass the right one with --database.');
}

/** Numbers are numbers, counts and sums too, which are `bigint` or `numeric`: the store keeps none that JavaScript cannot. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === types.builtins.INT8 || type === types.builtins.NUMERIC) return Number;
  return types.getTypeParser(type, format);
}
