import type { Database } from '../../../src/service/store/database.ts';

/** Milliseconds between two looks at who waits for the store. */
const LOOK_MS = 5;

/** One transaction that writes: how long it waited for the store, and had it until its commit was answered. */
interface Hold {
  readonly waited: number;
  readonly held: number;
}

/** A store that notes how long its transactions of one user have it, for how long others wait, and that keeps this user from it at times. */
export class StoreHolds {
  readonly database: Database;
  readonly holds: Hold[] = [];
  /** Longest time, in milliseconds, for which someone waited at every look. */
  longestQueue = 0;
  private queuedSince: number | undefined;
  private gate: PromiseWithResolvers<void> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(database: Database) {
    this.database = { ...database, write: (work, caller) => this.write(database, work, caller) };
    this.timer = setInterval(() => this.look(database), LOOK_MS);
  }

  /** From now on nothing is written. */
  shut(): void {
    this.gate ??= Promise.withResolvers<void>();
  }

  open(): void {
    this.gate?.resolve();
    this.gate = undefined;
  }

  stop(): void {
    clearInterval(this.timer);
    this.open();
  }

  private async write<T>(
    database: Database,
    work: Parameters<Database['write']>[0],
    caller: string | undefined,
  ): Promise<T> {
    await this.gate?.promise;
    const asked = performance.now();
    let begun = asked;
    try {
      return (await database.write((tx) => {
        begun = performance.now();
        return work(tx);
      }, caller)) as T;
    } finally {
      this.holds.push({ waited: begun - asked, held: performance.now() - begun });
    }
  }

  private look(database: Database): void {
    const isAwaited = database.pools().some(({ kind, waiting }) => kind === 'write' && waiting > 0);
    if (!isAwaited) this.queuedSince = undefined;
    else {
      this.queuedSince ??= performance.now();
      this.longestQueue = Math.max(this.longestQueue, performance.now() - this.queuedSince);
    }
  }
}
