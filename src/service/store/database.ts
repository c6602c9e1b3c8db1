import type { Transaction } from 'kysely';
import type { Schema } from './schema.ts';
import type { TransactionEnd } from './transactionEnd.ts';

/** Who reads what: the holder of a token a project, or all of their projects where none is said. */
export interface Reader {
  readonly tokenHash: string;
  readonly projectId: number | undefined;
}

/** A statement that is asked with nothing between it and the driver, since it is asked for most reads of a busy store. */
interface SeenQuery {
  readonly name: string;
  readonly text: string;
  readonly values: readonly (string | number)[];
}

const ALL = `select projects.id, projects.changes from tokens join memberships on memberships."userId" = tokens."userId"
  join projects on projects.id = memberships."projectId" where tokens.hash = $1`;
const IN_ORDER = `${ALL} order by projects.id`;
const ONE = `${ALL} and projects.id = $2`;

/** Asks for rows of two numbers, of which `versionIn` makes the version. */
export function seenQuery({ tokenHash, projectId }: Reader): SeenQuery {
  if (projectId === undefined) return { name: 'seen', text: IN_ORDER, values: [tokenHash] };
  return { name: 'seenOne', text: ONE, values: [tokenHash, projectId] };
}

/**
 * Of all that a reader can see: equal texts mean that nothing of it changed in between. Undefined when there is nothing, or no such
 * token any more.
 */
export function versionIn(rows: readonly unknown[][]): string | undefined {
  return rows.length === 0 ? undefined : rows.map((row) => row.join(' ')).join();
}

export type Tx = Transaction<Schema>;

/** What the store says of itself to this process: equal stamps mean that nothing was committed in between, and nothing set back. */
export type Stamp = number | string;

/**
 * The store of one service: everything goes through a read or a write of one transaction. Where many wait for a connection, those of each
 * `caller` have it in turn; what the service does by itself counts as one more caller.
 */
export interface Database {
  /** A consistent view; `work` must not wait for anything but queries. */
  read<T>(work: (tx: Tx) => Promise<T>, caller?: string): Promise<T>;
  /**
   * All or nothing; of those that change one project one at a time, over all processes. `work` must not wait for anything but
   * queries, and may be begun anew when another process was quicker: it has no effect but on the store. It is given the end of the
   * transaction where several write at a time.
   */
  write<T>(work: (tx: Tx, end?: TransactionEnd) => Promise<T>, caller?: string): Promise<T>;
  /** Differs after any commit, by whatever process; costs microseconds, or a round trip where the store is a server. */
  stamp(): Stamp | Promise<Stamp>;
  /** Of all that a reader can see: equal ones mean that none of it changed. Undefined when that is nothing. */
  seen(reader: Reader, caller?: string): Promise<string | undefined>;
  /** How much its connections have to do at this moment. */
  pools(): readonly PoolUse[];
  /** Throws `StoreUnavailable` where it is known that changes cannot be made, though what is stored may be read. */
  requireWritable(): Promise<void>;
  /** Whether transactions lock rows, which others can then pass over, rather than the whole store. */
  readonly locksRows: boolean;
  close(): Promise<void>;
}

/** How connections of one kind are used. */
export interface PoolUse {
  readonly kind: 'read' | 'write';
  /** How many there may be. */
  readonly most: number;
  /** Those that are lent. */
  readonly busy: number;
  /** Who waits for one. */
  readonly waiting: number;
}

/** Whose the transactions are that nobody outside asked for. */
export const OWN_CALLER = '';

/** The same store, all of whose transactions are those of a caller, who is asked for with each. Made for every request. */
export class CallersDatabase implements Database {
  readonly locksRows: boolean;
  private readonly database: Database;
  private readonly callerOf: () => string;

  constructor(database: Database, callerOf: () => string) {
    this.locksRows = database.locksRows;
    this.database = database;
    this.callerOf = callerOf;
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.read(work, this.callerOf());
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.write(work, this.callerOf());
  }

  stamp(): Stamp | Promise<Stamp> {
    return this.database.stamp();
  }

  seen(reader: Reader): Promise<string | undefined> {
    return this.database.seen(reader, this.callerOf());
  }

  pools(): readonly PoolUse[] {
    return this.database.pools();
  }

  requireWritable(): Promise<void> {
    return this.database.requireWritable();
  }

  close(): Promise<void> {
    return this.database.close();
  }
}
