import type { Database } from '../store/database.ts';
import { LeastRecent } from './leastRecent.ts';

/** Answers of the store that hold until anything in it changes, by whatever process. */
export class Stamped<V> {
  private readonly database: Database;
  private readonly entries: LeastRecent<string, { readonly stamp: number; readonly value: V }>;

  constructor(database: Database, capacity: number) {
    this.database = database;
    this.entries = new LeastRecent(capacity);
  }

  /** The stamp is taken before the store is read: a value may be newer than its stamp, never older. */
  async get(key: string, read: () => Promise<V>): Promise<V> {
    const stamp = this.database.stamp();
    const known = this.entries.get(key);
    if (known?.stamp === stamp) return known.value;
    const value = await read();
    this.entries.set(key, { stamp, value });
    return value;
  }
}
