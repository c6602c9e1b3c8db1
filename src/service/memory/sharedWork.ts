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

/** Lets few works of one user go on at the same time, so that what one asks for without end keeps neither others nor memory. */
export class TurnsOfUsers {
  private readonly most: number;
  private readonly users = new Map<number, { busy: number; readonly waiting: (() => void)[] }>();

  constructor(most: number) {
    this.most = most;
  }

  /** Does the work when its turn comes. */
  async take<T>(userId: number, work: () => Promise<T>): Promise<T> {
    const turns = this.users.get(userId) ?? { busy: 0, waiting: [] };
    this.users.set(userId, turns);
    if (turns.busy < this.most) turns.busy += 1;
    else await new Promise<void>((begin) => turns.waiting.push(begin));
    try {
      return await work();
    } finally {
      const next = turns.waiting.shift();
      if (next) next();
      else turns.busy -= 1;
      if (turns.busy === 0) this.users.delete(userId);
    }
  }
}

/**
 * A question that is asked once for all requests that lie ready together, as those of many clients do under load: the answer is
 * shared until the event loop has been through them. To be used where a request begins, and only there. An answer that is yet to
 * come is not shared, since who has to wait for it may come too late for it.
 */
export function oncePerTurn<T>(ask: () => T | Promise<T>): () => T | Promise<T> {
  let answer: { readonly value: T } | undefined;
  const forget = (): void => {
    answer = undefined;
  };
  return () => {
    if (answer !== undefined) return answer.value;
    const value = ask();
    if (value instanceof Promise) return value;
    answer = { value };
    setImmediate(forget);
    return value;
  };
}
