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
import { isBusy } from './sqliteErrors.ts';

/** `immediate` takes the write lock at the start of a transaction, so that it never needs an upgrade that can fail. */
type BeginMode = 'deferred' | 'immediate';

export interface TransactionMode {
  readonly begin: BeginMode;
  /** Called before each commit, which is not made where this throws. */
  readonly beforeCommit: () => void;
}

const MAX_STATEMENTS = 500;

/** Kysely over `node:sqlite` connections, each of which is lent to one transaction at a time. */
export function sqliteDialect(
  databases: readonly DatabaseSync[],
  mode: TransactionMode,
  lockPatience: number,
): Dialect {
  return {
    createDriver: () => new SqliteDriver(databases, mode, lockPatience),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new ManyConnectionsAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}

/** Kysely would let one transaction at a time have a connection, and all others wait for a long read. */
class ManyConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  private readonly databases: readonly DatabaseSync[];
  private readonly mode: TransactionMode;
  private readonly lockPatience: number;
  private readonly free: SqliteConnection[];
  private readonly waiting: ((connection: SqliteConnection) => void)[] = [];
  private readonly deadlines = new WeakMap<SqliteConnection, number>();

  constructor(databases: readonly DatabaseSync[], mode: TransactionMode, lockPatience: number) {
    this.lockPatience = lockPatience;
    this.databases = databases;
    this.mode = mode;
    this.free = databases.map((database) => new SqliteConnection(database));
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const deadline = performance.now() + this.lockPatience; // What waits behind others here waits no longer for it than they do.
    const connection = this.free.pop() ?? (await new Promise<SqliteConnection>((lent) => this.waiting.push(lent)));
    this.deadlines.set(connection, deadline);
    return connection;
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    const ours = own(connection);
    const next = this.waiting.shift();
    if (next) next(ours);
    else this.free.push(ours);
  }

  /** Waits for other processes without holding the event loop. */
  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const ours = own(connection);
    const { database } = ours;
    const deadline = this.deadlines.get(ours) ?? performance.now();
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
    for (const database of this.databases) database.close();
  }
}

/** Kysely gives back the connections that this driver lent. */
function own(connection: DatabaseConnection): SqliteConnection {
  if (connection instanceof SqliteConnection) return connection;
  throw new TypeError('This connection is not of this store.');
}

class SqliteConnection implements DatabaseConnection {
  readonly database: DatabaseSync;
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
