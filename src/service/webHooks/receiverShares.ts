/** Posts that are under way to each receiver, so that one that is slow for many projects leaves room for those of others. */
export class ReceiverShares {
  private readonly most: number;
  private readonly patience: number;
  private readonly underWay = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  /** At most so many at once to one receiver; `patience` in milliseconds. */
  constructor(most: number, patience: number) {
    this.most = most;
    this.patience = patience;
  }

  /** Whether a post may begin, now or within the patience; it must then be given back. */
  take(receiver: string): Promise<boolean> {
    const count = this.underWay.get(receiver) ?? 0;
    if (count >= this.most) return this.turn(receiver);
    this.underWay.set(receiver, count + 1);
    return Promise.resolve(true);
  }

  give(receiver: string): void {
    const next = this.waiting.get(receiver)?.shift();
    const left = (this.underWay.get(receiver) ?? 1) - 1;
    if (next) next();
    else if (left > 0) this.underWay.set(receiver, left);
    else this.underWay.delete(receiver);
  }

  private turn(receiver: string): Promise<boolean> {
    const line = this.waiting.get(receiver) ?? [];
    this.waiting.set(receiver, line);
    return new Promise((resolve) => {
      const begin = (): void => {
        clearTimeout(late);
        resolve(true);
      };
      const late = setTimeout(() => {
        line.splice(line.indexOf(begin), 1);
        if (line.length === 0) this.waiting.delete(receiver);
        resolve(false);
      }, this.patience);
      line.push(begin);
    });
  }
}
