import type { Stamp } from '../store/database.ts';
import { LeastRecentlyUsed } from './leastRecentlyUsed.ts';

/** While what was found out is true, in milliseconds since the epoch; clocks may be put back too. */
export interface Validity {
  readonly validFrom: number;
  readonly validUntil: number;
}

export function isValid({ validFrom, validUntil }: Validity, now: number): boolean {
  return now >= validFrom && now < validUntil;
}

/** Answers of the store that hold until anything in it changes, by whatever process. */
export class UntilChanged<V> {
  private readonly entries: LeastRecentlyUsed<string, { readonly stamp: Stamp; readonly value: V }>;

  private readonly sizeOf: (value: V) => number;

  /** Keeps values whose sizes add up to `capacity`. */
  constructor(capacity: number, sizeOf: (value: V) => number = () => 1) {
    this.entries = new LeastRecentlyUsed(capacity);
    this.sizeOf = sizeOf;
  }

  /** The stamp was taken before the store is read: a value may be newer than its stamp, never older. */
  async get(key: string, stamp: Stamp, read: () => Promise<V>): Promise<V> {
    const known = this.entries.get(key);
    if (known?.stamp === stamp) return known.value;
    const value = await read();
    this.entries.set(key, { stamp, value }, this.sizeOf(value));
    return value;
  }
}
