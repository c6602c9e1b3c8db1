import type { Stamp } from '../store/database.ts';

/** A map that forgets what was used longest ago when the sizes of its values add up to more than `capacity`. */
export class LeastRecentlyUsed<K, V> {
  private readonly entries = new Map<K, { readonly value: V; readonly size: number }>();
  private readonly capacity: number;
  private total = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  get(key: K): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: K, value: V, size = 1): void {
    this.delete(key);
    if (size > this.capacity) return;
    this.entries.set(key, { value, size });
    this.total += size;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.capacity) return;
      this.delete(oldest);
    }
  }

  delete(key: K): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.total -= entry.size;
  }
}

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
