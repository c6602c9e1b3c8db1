import { beginTurn, isTurnSpent } from './turnBudget.ts';

/** Does many small pieces of work in the order in which they come, and gives way when a turn has taken long enough. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private isCalled = false;

  /** At once when there is time for it in this turn. */
  take<T>(work: () => T): T | Promise<T> {
    if (this.waiting.length === 0 && !isTurnSpent()) return work();
    this.call();
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(work());
        } catch (thrown) {
          reject(thrown);
        }
      });
    });
  }

  private call(): void {
    if (this.isCalled) return;
    this.isCalled = true;
    setImmediate(() => this.next());
  }

  /** At least one piece, so that it goes on however much others do. */
  private next(): void {
    this.isCalled = false;
    beginTurn();
    do this.waiting.shift()?.();
    while (this.waiting.length > 0 && !isTurnSpent());
    if (this.waiting.length > 0) this.call();
  }
}
