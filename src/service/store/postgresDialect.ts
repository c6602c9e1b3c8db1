import {
  type CompiledQuery,
  type DatabaseConnection,
  type DataTypeNode,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { isUnavailable } from './postgresErrors.ts';

/** Kysely over a pool of PostgreSQL connections; `begin` is the statement that starts each transaction. */
export function postgresDialect(pool: Pool, begin: string): Dialect {
  return {
    createDriver: () => new PostgresDriver(pool, begin),
    createQueryCompiler: () => new WideQueryCompiler(),
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  };
}

/** Gives the numbers of a schema the sizes that SQLite gives them, so that one description of it does for both. */
class WideQueryCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType === 'integer') this.append('bigint');
    else if (node.dataType === 'real') this.append('double precision');
    else super.visitDataType(node);
  }
}

class PostgresDriver implements Driver {
  private readonly pool: Pool;
  private readonly begin: string;

  constructor(pool: Pool, begin: string) {
    this.pool = pool;
    this.begin = begin;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new PostgresConnection(await this.pool.connect());
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).run(this.begin);
  }

  /** PostgreSQL answers `ROLLBACK` to the commit of a transaction in which a statement failed. */
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const command = await own(connection).run('commit');
    if (command === 'ROLLBACK') throw new Error('A statement of this transaction failed; nothing was committed.');
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await own(connection).rollBack();
  }

  async destroy(): Promise<void> {
    await this.pool.end();
  }
}

/** Kysely gives back the connections that this driver lent. */
function own(connection: DatabaseConnection): PostgresConnection {
  if (connection instanceof PostgresConnection) return connection;
  throw new TypeError('This connection is not of this store.');
}

class PostgresConnection implements DatabaseConnection {
  private readonly client: PoolClient;
  private isBroken = false;

  constructor(client: PoolClient) {
    this.client = client;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.client
      .query(query.sql, query.parameters.map(inputValue))
      .catch((error: unknown) => this.failed(error));
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /** In one piece: the rows come and are read a packet at a time, which holds nobody. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  async run(statement: string): Promise<string> {
    const { command } = await this.client.query(statement).catch((error: unknown) => {
      this.isBroken = true;
      throw error;
    });
    return command;
  }

  /** A connection that did not answer in time, or is gone, is not asked for anything more. */
  private failed(error: unknown): never {
    this.isBroken = isUnavailable(error);
    throw error;
  }

  /** Where that fails PostgreSQL rolls back by itself, once the connection is closed; why the work failed says more. */
  async rollBack(): Promise<void> {
    if (!this.isBroken) await this.run('rollback').catch(() => undefined);
  }

  release(): void {
    this.client.release(this.isBroken);
  }
}

/** PostgreSQL keeps every character but NUL. */
function inputValue(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}
