import { Emitter } from '../shell/emitter.ts';

/** So long a server may take before a person is told that it is slow. */
const SLOW_MS = 10_000;

/** Which servers this window has been waiting for so long that a person should know. */
export class SlowServers {
  /** How many slow reads there are, by account. */
  private readonly slow = new Map<string, number>();
  private readonly changed = new Emitter<void>();

  readonly onDidChange = this.changed.event;

  has(accountId: string): boolean {
    return this.slow.has(accountId);
  }

  /** Gives what the account's server answers, and counts the server as slow while that takes long. */
  async watched<T>(accountId: string, answer: Promise<T>): Promise<T> {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.count(accountId, 1);
    }, SLOW_MS);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      if (isSlow) this.count(accountId, -1);
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private count(accountId: string, more: 1 | -1): void {
    const before = this.slow.get(accountId) ?? 0;
    if (before + more > 0) this.slow.set(accountId, before + more);
    else this.slow.delete(accountId);
    if (before === 0 || before + more === 0) this.changed.fire();
  }
}
