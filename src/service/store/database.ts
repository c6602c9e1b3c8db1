import type { Transaction } from 'kysely';
import type { Schema } from './schema.ts';
import type { Reader } from './seenVersion.ts';

export type Tx = Transaction<Schema>;

/** What the store says of itself to this process: equal stamps mean that nothing was committed in between, and nothing set back. */
export type Stamp = number | string;

/** The store of one service: everything goes through a read or a write of one transaction. */
export interface Database {
  /** A consistent view; `work` must not wait for anything but queries. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * All or nothing; of those that change one project one at a time, over all processes. `work` must not wait for anything but
   * queries, and may be begun anew when another process was quicker: it has no effect but on the store.
   */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Differs after any commit, by whatever process; costs microseconds, or a round trip where the store is a server. */
  stamp(): Stamp | Promise<Stamp>;
  /** Of all that a reader can see: equal ones mean that none of it changed. Undefined when that is nothing. */
  seen(reader: Reader): Promise<string | undefined>;
  /** Throws `StoreUnavailable` where it is known that changes cannot be made, though what is stored may be read. */
  requireWritable(): Promise<void>;
  /** Whether transactions lock rows, which others can then pass over, rather than the whole store. */
  readonly locksRows: boolean;
  close(): Promise<void>;
}
