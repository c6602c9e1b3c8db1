/** What was read of some items, and how many that was. */
export interface SomeItems<T> {
  readonly count: number;
  readonly items: Iterable<readonly [id: number, item: T]>;
}

/** Items of a document that are read some at a time, when their turn comes, and are taken in their order. */
export class ComingItems<T> {
  private readonly total: number;
  private readonly readFrom: (index: number) => Promise<SomeItems<T>>;
  private readonly coming = new Map<number, T>();
  private read = 0;
  private taken = 0;

  /** `readFrom` reads at least one of the items that begin at an index. */
  constructor(total: number, readFrom: (index: number) => Promise<SomeItems<T>>) {
    this.total = total;
    this.readFrom = readFrom;
  }

  /** To be awaited before the next item is taken. */
  async next(): Promise<void> {
    while (this.taken >= this.read && this.read < this.total) {
      const { count, items } = await this.readFrom(this.read);
      for (const [id, item] of items) this.coming.set(id, item);
      this.read += count;
    }
  }

  /** The next item, by its id; undefined when it was not there to be read. */
  take(id: number): T | undefined {
    const item = this.coming.get(id);
    this.coming.delete(id);
    this.taken += 1;
    return item;
  }
}
