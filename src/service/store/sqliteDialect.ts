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

/** `immediate` takes the write lock at the start of a transaction, so that it never has to be upgraded and fail. */
export type BeginMode = 'deferred' | 'immediate';

const MAX_STATEMENTS = 500;
const LOCK_PATIENCE = 20_000;

/** Kysely over one `node:sqlite` connection, which is lent to one transaction at a time. */
export function sqliteDialect(database: DatabaseSync, begin: BeginMode): Dialect {
  return {
    createDriver: () => new SqliteDriver(database, begin),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}

class SqliteDriver implements Driver {
  private readonly connection: SqliteConnection;
  private readonly database: DatabaseSync;
  private readonly begin: BeginMode;
  private readonly waiting: (() => void)[] = [];
  private lent = false;

  constructor(database: DatabaseSync, begin: BeginMode) {
    this.connection = new SqliteConnection(database);
    this.database = database;
    this.begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.lent) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.lent = true;
    return this.connection;
  }

  async releaseConnection(): Promise<void> {
    const next = this.waiting.shift();
    if (next) next();
    else this.lent = false;
  }

  /** Waits for other processes without holding the event loop. */
  async beginTransaction(): Promise<void> {
    const deadline = Date.now() + LOCK_PATIENCE;
    for (let pause = 1; ; pause = Math.min(pause * 2, 50)) {
      try {
        this.database.exec(`begin ${this.begin}`);
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > deadline) throw error;
        await wait(pause * (0.5 + Math.random()));
      }
    }
  }

  async commitTransaction(): Promise<void> {
    this.database.exec('commit');
  }

  async rollbackTransaction(): Promise<void> {
    if (this.database.isTransaction !== false) this.database.exec('rollback');
  }

  async destroy(): Promise<void> {
    this.database.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  private readonly statements = new Map<string, StatementSync>();
  private readonly database: DatabaseSync;

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

  // biome-ignore lint/correctness/useYield: rows are never streamed: a cursor would outlive its transaction
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('This store reads whole pages; it does not stream rows.');
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
