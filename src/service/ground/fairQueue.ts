/** What waits in lines by callers, of which each is served in turn: who has hundreds waiting keeps another waiting for one of them. */
export class FairQueue<T> {
  private readonly lines = new Map<string, T[]>();

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  add(caller: string, item: T): void {
    const line = this.lines.get(caller);
    if (line) line.push(item);
    else this.lines.set(caller, [item]);
  }

  /** Takes the first of the caller whose turn it is. */
  next(): T | undefined {
    const [first] = this.lines;
    if (first === undefined) return undefined;
    const [caller, line] = first;
    const item = line.shift();
    this.lines.delete(caller);
    if (line.length > 0) this.lines.set(caller, line);
    return item;
  }

  /** Takes one back that waits no longer. */
  remove(caller: string, item: T): void {
    const line = this.lines.get(caller);
    const place = line?.indexOf(item) ?? -1;
    if (line === undefined || place < 0) return;
    line.splice(place, 1);
    if (line.length === 0) this.lines.delete(caller);
  }
}
