import type { Polling, PollState, ReplicaNews } from '../../core/replica/polling.ts';
import { Poller, type PollerNeeds } from './poller.ts';
import { ReplicaWatcher } from './replicaWatcher.ts';

/** Polls in this window where that is its turn, and tells it what any window made different. */
export class LocalPolling implements Polling {
  private readonly needs: PollerNeeds;
  private state: PollState | undefined;
  private parts: { readonly poller: Poller; readonly follower: ReplicaWatcher } | undefined;

  constructor(needs: PollerNeeds) {
    this.needs = needs;
  }

  async run({ onNews, signal }: { onNews: (news: ReplicaNews) => void; signal: AbortSignal }): Promise<void> {
    await this.stop();
    const poller = new Poller(this.needs);
    const follower = new ReplicaWatcher({ ...this.needs, onNews });
    this.parts = { poller, follower };
    signal.addEventListener('abort', () => void this.stop(), { once: true });
    if (this.state) await this.tell(this.state);
    await Promise.all([poller.run(), follower.run()]);
  }

  async tell(state: PollState): Promise<void> {
    this.state = state;
    this.parts?.poller.tell(state);
    this.parts?.follower.tell(state);
  }

  /** Leaves polling to other windows at once. */
  async stop(): Promise<void> {
    this.parts?.poller.stop();
    this.parts?.follower.stop();
    this.parts = undefined;
  }
}
