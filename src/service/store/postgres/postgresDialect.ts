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
  sql,
} from 'kysely';
import type { QueryResult as PgResult, PoolClient } from 'pg';
import type { SqlTypes } from '../migrations.ts';
import type { TransactionEnd } from '../transactionEnd.ts';
import type { ConnectionPool } from './connectionPool.ts';
import { isUnavailable, sqlState } from './postgresErrors.ts';

/** How each transaction begins; one that only reads has nothing to wait for at its end. */
export interface TransactionMode {
  /** Statements that give nothing that anyone waits for. */
  readonly begin: () => readonly string[];
  readonly isReadOnly: boolean;
  /** What is sent with the commit. */
  readonly end?: TransactionEnd;
}

/**
 * Kysely over a pool of PostgreSQL connections, which have to be pipelined, and outside of transactions refuse to change anything:
 * statements follow a `begin` whose answer is not awaited, nor that of those that give nothing back, since every wait is a round trip.
 * All of its transactions are the caller's.
 */
export function postgresDialect(pool: ConnectionPool, mode: TransactionMode, caller: string): Dialect {
  return {
    createDriver: () => new PostgresDriver(pool, mode, caller),
    createQueryCompiler: () => compiler,
    createAdapter: () => adapter,
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

/** One for all: to make one costs more than a statement, and the engine learns anew with each how to run it. */
const compiler = new WideQueryCompiler();
const adapter = new PostgresAdapter();

const errorsOfDatabase = new WeakSet<Error>();
const refusedEnds = new WeakSet<Error>();

/** Whether the server refused a statement that was sent before a commit or with it, so that nothing was committed. */
export function isRefusedEnd(error: unknown): boolean {
  return error instanceof Error && refusedEnds.has(error);
}

/** Whether an error is one of asking the database, and not of the work for which it was asked, such as writing a file. */
export function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && errorsOfDatabase.has(error);
}

function noted(error: unknown): unknown {
  if (error instanceof Error) errorsOfDatabase.add(error);
  return error;
}

class PostgresDriver implements Driver {
  private readonly pool: ConnectionPool;
  private readonly mode: TransactionMode;
  private readonly caller: string;

  constructor(pool: ConnectionPool, mode: TransactionMode, caller: string) {
    this.pool = pool;
    this.mode = mode;
    this.caller = caller;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const client = await this.pool.connect(this.caller).catch((error: unknown) => {
      throw noted(error);
    });
    return new PostgresConnection(this.pool, client);
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    own(connection).release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    for (const statement of this.mode.begin()) own(connection).send(statement);
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.mode.isReadOnly) own(connection).send('commit');
    else await own(connection).commit(this.mode.end);
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
  private readonly pool: ConnectionPool;
  private readonly client: PoolClient;
  private readonly unanswered: Promise<unknown>[] = [];
  private failure: { readonly error: unknown } | undefined;

  constructor(pool: ConnectionPool, client: PoolClient) {
    this.pool = pool;
    this.client = client;
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const values = parameters.map(inputValue);
    if (givesNothing(query)) {
      this.send(sql, values);
      return { rows: [] };
    }
    const { rows, rowCount } = await this.ask(sql, values);
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) };
  }

  /** In one piece: the rows come and are read a packet at a time, which holds nobody. */
  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    yield await this.executeQuery<R>(query);
  }

  /** Sends a statement; what becomes of it is told to whoever asks or commits next. */
  send(statement: string, values?: readonly unknown[]): void {
    if (!this.failure) this.unanswered.push(this.query(statement, values).catch(() => undefined));
  }

  /** PostgreSQL answers `ROLLBACK` to the commit of a transaction in which a statement failed. */
  async commit(end: TransactionEnd | undefined): Promise<void> {
    this.refuseFailure();
    const last = end?.queries.map(({ sql, parameters }) => this.last(sql, parameters.map(inputValue))) ?? [];
    const commit = this.query('commit').catch(() => undefined);
    const answers = await Promise.all(last);
    const answer = await commit;
    await Promise.all(this.unanswered);
    if (answer?.command === 'ROLLBACK') {
      this.refuseFailure();
      throw new Error('A statement of this transaction failed; nothing was committed.');
    }
    this.throwFailure();
    end?.committed(answers);
  }

  /** Throws what failed, if anything did, as what kept the transaction from being committed. */
  private refuseFailure(): void {
    if (this.failure?.error instanceof Error) refusedEnds.add(this.failure.error);
    this.throwFailure();
  }

  /** The rows; none where it fails, which is told with the answer to the commit. */
  private async last(statement: string, values: readonly unknown[]): Promise<readonly unknown[]> {
    try {
      return (await this.query(statement, values)).rows;
    } catch (error) {
      if (error instanceof Error && sqlState(error) !== undefined) refusedEnds.add(error);
      return [];
    }
  }

  /** Where that fails PostgreSQL rolls back by itself, once the connection is closed; why the work failed says more. */
  async rollBack(): Promise<void> {
    if (!this.isBroken) await this.query('rollback').catch(() => undefined);
  }

  release(): void {
    this.pool.release(this.client, this.isBroken);
  }

  /** Of all failures the first says why: PostgreSQL answers those that follow with no more than that one came before. */
  private async ask(statement: string, values?: readonly unknown[]): Promise<PgResult> {
    this.throwFailure();
    const answer = await this.query(statement, values).catch(() => undefined);
    this.throwFailure();
    if (answer === undefined) throw new Error('The database gave no answer.');
    return answer;
  }

  private throwFailure(): void {
    if (this.failure) throw this.failure.error;
  }

  private async query(statement: string, values?: readonly unknown[]): Promise<PgResult> {
    try {
      return await this.client.query(statement, values && [...values]);
    } catch (error) {
      this.failure ??= { error };
      throw noted(error);
    }
  }

  /** A connection that did not answer in time, or is gone, is not asked for anything more. */
  private get isBroken(): boolean {
    return this.failure !== undefined && isUnavailable(this.failure.error);
  }
}

/** Nobody is told how many rows were inserted. */
function givesNothing(query: CompiledQuery['query']): boolean {
  return query.kind === 'InsertQueryNode' && query.returning === undefined;
}

/** PostgreSQL keeps every character but NUL. */
function inputValue(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value;
}

/** PostgreSQL compares text by the rules of a language unless told not to. */
export const postgresTypes: SqlTypes = {
  withId: (table) => table.addColumn('id', 'integer', (column) => column.generatedByDefaultAsIdentity().primaryKey()),
  bytewiseText: sql`text collate "C"`,
  moment: 'bigint',
};
