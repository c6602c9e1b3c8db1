import type { Transaction } from 'kysely';
import type { Schema } from './schema.ts';

export type Tx = Transaction<Schema>;

/** The store of one service: everything goes through a read or a write of one transaction. */
export interface Database {
  /** A consistent view; `work` must not wait for anything but queries. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** All or nothing, one at a time over all processes; `work` must not wait for anything but queries. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A number that differs after any commit, by whatever process; costs microseconds. */
  stamp(): number;
  close(): Promise<void>;
}
