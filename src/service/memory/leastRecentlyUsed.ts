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
