/** Work that is asked for again while it is under way is done once, for all who ask. */
export class SharedWork<T> {
  private readonly underWay = new Map<string, Promise<T>>();

  get(key: string, work: () => Promise<T>): Promise<T> {
    const known = this.underWay.get(key);
    if (known) return known;
    const begun = work().finally(() => this.underWay.delete(key));
    this.underWay.set(key, begun);
    return begun;
  }
}
