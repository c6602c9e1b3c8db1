import { setTimeout as wait } from 'node:timers/promises';
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { SqlTypes } from '../migrations.ts';
import { SqliteConnection, type SqliteConnections } from './sqliteConnections.ts';
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
