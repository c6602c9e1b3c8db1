import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Outbox, OutboxEntry } from '../../core/outbox/outbox.ts';
import type { ReplicaAccount } from '../../core/replica/replica.ts';
import { inBackground } from '../shell/turnBudget.ts';
import type { UnsentChanges } from './unsentChanges.ts';

interface Needs {
  readonly outbox: Outbox;
  /** Every signed-in account, passed to the engine so that it can reach their servers. */
  readonly attendedAccounts: () => Promise<readonly ReplicaAccount[]>;
  /** Is told who is attended, and shows only what is theirs. */
  readonly unsent: UnsentChanges;
  readonly log: Log;
  readonly onEntries: (entries: readonly OutboxEntry[]) => void;
}

/** Until it is tried again to send and follow, the engine having ended. */
const RESUME_MS = 5000;

/** Has the outbox sent for the people who are signed in, and is told of its entries while this window lives. */
export class FollowedOutbox {
  private readonly needs: Needs;
  private following: AbortController | undefined;
  private isDisposed = false;
  private holding = 0;
  private toldMeanwhile: readonly OutboxEntry[] | undefined;

  constructor(needs: Needs) {
    this.needs = needs;
  }

  get isFollowing(): boolean {
    return this.following !== undefined;
  }

  /** Sends what waits for the people who are signed in now, and follows what becomes of it. */
  async attend(): Promise<void> {
    const { outbox, attendedAccounts, unsent } = this.needs;
    unsent.attended = await attendedAccounts();
    await outbox.attend(unsent.attended);
    this.follow();
  }

  /** Takes in what is told while `work` is under way only after it. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.holding++;
    try {
      return await work();
    } finally {
      this.holding--;
      if (this.holding === 0 && this.toldMeanwhile) this.takeEntries(this.toldMeanwhile);
    }
  }

  dispose(): void {
    this.isDisposed = true;
    this.following?.abort();
  }

  private follow(): void {
    if (this.following) return;
    const following = new AbortController();
    this.following = following;
    const onChange = (entries: readonly OutboxEntry[]) => {
      if (this.holding > 0) this.toldMeanwhile = entries;
      else this.takeEntries(entries);
    };
    this.needs.outbox
      .follow({ onChange, signal: following.signal })
      .catch((thrown: unknown) => this.needs.log.debug(`outbox: ${messageOf(thrown)}`))
      .finally(() => {
        if (this.following === following) this.following = undefined;
        if (!following.signal.aborted) setTimeout(() => this.resume(following.signal), RESUME_MS);
      });
  }

  private takeEntries(entries: readonly OutboxEntry[]): void {
    this.toldMeanwhile = undefined;
    this.needs.onEntries(entries);
  }

  /** A new engine knows nobody, and sends nothing before it is told. */
  private resume(signal: AbortSignal): void {
    if (this.following || signal.aborted || this.isDisposed) return;
    inBackground(this.needs.log, this.attend());
  }
}
