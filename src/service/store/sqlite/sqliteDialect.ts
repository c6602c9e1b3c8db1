import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { FairQueue } from '../../ground/fairQueue.ts';
import { slicesOfTurns } from '../../ground/slices.ts';
import type { PoolUse } from '../database.ts';
import type { SqlTypes } from '../migrations.ts';
import { isBusy } from './sqliteErrors.ts';

/** `immediate` takes the write lock at the start of a transaction, so that it never needs an upgrade that can fail. */
type BeginMode = 'deferred' | 'immediate';

export interface TransactionMode {
  readonly begin: BeginMode;
  /** Called before each commit, which is not made where this throws. */
  readonly beforeCommit: () => void;
}

/** Kysely over `node:sqlite` connections, each of which is lent to one transaction at a time; all of its transactions are the caller's. */
export function sqliteDialect(connections: SqliteConnections, mode: TransactionMode, caller: string): Dialect {
  return {
    createDriver: () => new SqliteDriver(connections, mode, caller),
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}

/** Kysely would let one transaction at a time have a connection, and all others wait for a long read. */
class ManyConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** One for all: to make one costs more than a statement, and the engine learns anew with each how to run it. */
const compiler = new SqliteQueryCompiler();
const adapter = new ManyConnectionsAdapter();

class SqliteDriver implements Driver {
  private readonly connections: SqliteConnections;
  private readonly mode: TransactionMode;
  private readonly caller: string;

  constructor(connections: SqliteConnections, mode: TransactionMode, caller: string) {
    this.connections = connections;
    this.mode = mode;
    this.caller = caller;
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<DatabaseConnection> {
    return this.connections.lend(this.caller);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    this.connections.takeBack(own(connection));
  }

  /** Waits for other processes without holding the event loop. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const { database, deadline } = own(connection);
    for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
      try {
        database.exec(`begin ${this.mode.begin}`);
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error;
        await wait(pause * (0.5 + Math.random()));
      }
    }
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.mode.beforeCommit();
    own(connection).database.exec('commit');
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    const { database } = own(connection);
    if (database.isTransaction !== false) database.exec('rollback');
  }

  async destroy(): Promise<void> {
    this.connections.close();
  }
}

/** Kysely gives back the connections that this driver lent. */
function own(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection;
  throw new TypeError('This connection is not of this store.');
}

/** SQLite compares text bytewise by itself, and `autoincrement` keeps ids of deleted rows from coming back. */
export const sqliteTypes: SqlTypes = {
  withId: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
  bytewiseText: 'text',
  moment: 'integer',
};

const MAX_STATEMENTS = 500;

/**
 * Connections that are lent to one transaction at a time. SQLite holds the thread: between the transactions of those who wait, all
 * else has its turn.
 */
export class SqliteConnections {
  private readonly databases: readonly DatabaseSync[];
  private readonly lockPatience: number;
  private readonly free: SqliteConnection[];
  private readonly waiting = new FairQueue<(connection: SqliteConnection) => void>();
  private readonly slices = slicesOfTurns();

  /** `lockPatience`: milliseconds for which who borrows one waits for other processes. */
  constructor(databases: readonly DatabaseSync[], lockPatience: number) {
    this.databases = databases;
    this.lockPatience = lockPatience;
    this.free = databases.map((database) => new SqliteConnection(database));
  }

  /** Waits for one that is free, in turn with other callers. */
  async lend(caller: string): Promise<SqliteConnection> {
    const deadline = performance.now() + this.lockPatience; // What waits behind others here waits no longer for it than they do.
    const connection =
      this.free.pop() ?? (await new Promise<SqliteConnection>((lent) => this.waiting.add(caller, lent)));
    connection.deadline = deadline;
    return connection;
  }

  use(): Omit<PoolUse, 'kind'> {
    const most = this.databases.length;
    return { most, busy: most - this.free.length, waiting: this.waiting.size };
  }

  takeBack(connection: SqliteConnection): void {
    if (this.waiting.isEmpty) this.free.push(connection);
    else void this.slices.rest().then(() => this.handOn(connection));
  }

  close(): void {
    for (const database of this.databases) database.close();
  }

  private handOn(connection: SqliteConnection): void {
    const next = this.waiting.next();
    if (next) next(connection);
    else this.free.push(connection);
  }
}

/** One connection, with the statements that were asked over it. */
class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
  /** Until when whom it is lent to waits for other processes, by the clock of `performance`. */
  deadline = 0;
  private readonly statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.statement(query.sql);
    const values = query.parameters.map(inputValue);
    if (givesRows(query)) return { rows: statement.all(...values) as R[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** The statement is one of its own: another query of the same text would start the cursor anew. */
  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    let rows: R[] = [];
    for (const row of this.database.prepare(query.sql).iterate(...query.parameters.map(inputValue))) {
      rows.push(row as R);
      if (rows.length < chunkSize) continue;
      yield { rows };
      rows = [];
    }
    yield { rows };
  }

  private statement(sql: string): StatementSync {
    const known = this.statements.get(sql);
    if (known) return known;
    if (this.statements.size >= MAX_STATEMENTS) this.statements.clear();
    const made = this.database.prepare(sql);
    this.statements.set(sql, made);
    return made;
  }
}

function givesRows({ query }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || query.kind === 'RawNode' || ('returning' in query && !!query.returning);
}

function inputValue(value: unknown): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' || value === null)
    return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`The store cannot keep a ${typeof value}.`);
}
