import type { Database } from '../store/database.ts';
import { type Attempt, countAttempts } from '../store/people/recentUses.ts';

interface Waiting {
  readonly attempt: Attempt;
  readonly resolve: (wait: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Attempts that one transaction counts. */
const MOST_AT_ONCE = 500;

/**
 * Counts attempts to sign in: those that come while others are counted are counted together, so that a thousand at once make a few
 * transactions. Whoever waits for the count has been counted when it comes.
 */
export class SignInAttempts {
  private readonly database: Database;
  private waiting: Waiting[] = [];
  private isCounting = false;

  constructor(database: Database) {
    this.database = database;
  }

  /** As `countAttempts` does for one. */
  count(attempt: Attempt): Promise<number> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ attempt, resolve, reject });
      if (!this.isCounting) void this.countAll();
    });
  }

  private async countAll(): Promise<void> {
    this.isCounting = true;
    while (this.waiting.length > 0) {
      const some = this.waiting.splice(0, MOST_AT_ONCE);
      try {
        const waits = await countAttempts(
          this.database,
          some.map(({ attempt }) => attempt),
        );
        for (const [index, { resolve }] of some.entries()) resolve(waits[index] ?? 0);
      } catch (error) {
        for (const { reject } of some) reject(error);
      }
    }
    this.isCounting = false;
  }
}
