/** Lets few works of one user go on at the same time, so that what one asks for without end keeps neither others nor memory. */
export class UserTurns {
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
