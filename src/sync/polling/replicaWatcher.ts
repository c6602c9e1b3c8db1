import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { PollState, ReplicaNews } from '../../core/replica/polling.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { ReplicaChanges } from './replicaChanges.ts';

interface ReplicaWatcherNeeds {
  readonly file: ReplicaFile;
  readonly log: Log;
  readonly onNews: (news: ReplicaNews) => void;
  /** Resolves after so many milliseconds, or earlier when the signal comes. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const WATCHED_MS = 1000;
const UNWATCHED_MS = 10_000;

/** Tells one window what any window changed in the replica, quickly while someone may be watching. */
export class ReplicaWatcher {
  private readonly needs: ReplicaWatcherNeeds;
  private readonly changes: ReplicaChanges;
  private state: PollState | undefined;
  private waiting = new AbortController();
  private isStopped = false;

  constructor(needs: ReplicaWatcherNeeds) {
    this.needs = needs;
    this.changes = new ReplicaChanges(needs.file);
  }

  tell(state: PollState): void {
    this.state = state;
    this.waiting.abort();
  }

  stop(): void {
    this.isStopped = true;
    this.waiting.abort();
  }

  /** Settles after `stop`. */
  async run(): Promise<void> {
    while (!this.isStopped) {
      this.waiting = new AbortController();
      const { signal } = this.waiting;
      await this.look().catch((thrown: unknown) => this.needs.log.warn(`following: ${messageOf(thrown)}`));
      const isWatched = this.state?.isFocused || this.state?.isVisible;
      await this.needs.wait(isWatched ? WATCHED_MS : UNWATCHED_MS, signal);
    }
  }

  private async look(): Promise<void> {
    if (!this.state) return;
    const news = await this.changes.since(this.state.accounts);
    if (news && !this.isStopped) this.needs.onNews(news);
  }
}
