import type { Log } from '../../../src/core/log.ts';
import type { Tracker } from '../../../src/core/ports/tracker.ts';
import type { PollState, ReplicaNews } from '../../../src/core/replica/polling.ts';
import { Poller } from '../../../src/sync/polling/poller.ts';
import { ReplicaWatcher } from '../../../src/sync/polling/replicaWatcher.ts';
import { FailureRecordingSync } from '../../../src/sync/refresh/failureRecordingSync.ts';
import { LocalActivityLog } from '../../../src/sync/replica/activityLog.ts';
import { silentLog } from '../silentLog.ts';
import { Client } from './client.ts';
import type { SteppedClock } from './steppedClock.ts';

export const ada = { accountId: 'ada', address: 'https://tracker.example' };

export interface WindowOptions {
  readonly name: string;
  readonly path: string;
  readonly clock: SteppedClock;
  readonly tracker: Tracker;
  readonly open?: (accountId: string) => Promise<void>;
  readonly log?: Log;
}

/** One window of several on the same file: what its worker does by itself. */
export class PollingWindow {
  readonly client: Client;
  readonly sync: FailureRecordingSync;
  readonly activityLog: LocalActivityLog;
  readonly news: ReplicaNews[] = [];
  private readonly poller: Poller;
  private readonly follower: ReplicaWatcher;
  private running: Promise<unknown> = Promise.resolve();
  private isFrozen = false;
  private state: PollState = { accounts: [ada], isFocused: false, isActive: false, isVisible: true, seconds: 30 };

  constructor({ name, path, clock, tracker, open = async () => undefined, log = silentLog }: WindowOptions) {
    const { now } = clock;
    this.client = new Client({ path, tracker, now, log });
    const { file, sync } = this.client;
    this.sync = new FailureRecordingSync({ file, sync, now });
    this.activityLog = new LocalActivityLog(file);
    // A window that was killed is never heard of again: what it waits for does not come.
    const wait = (milliseconds: number, signal: AbortSignal) =>
      clock.wait(milliseconds, signal).then(() => (this.isFrozen ? new Promise<void>(() => undefined) : undefined));
    this.poller = new Poller({ file, sync: this.sync, open, log, now, wait, random: () => 0.5, owner: name });
    this.follower = new ReplicaWatcher({ file, log, wait, onNews: (news) => this.news.push(news) });
  }

  start(state: Partial<PollState> = {}): void {
    this.tell(state);
    this.running = Promise.all([this.poller.run(), this.follower.run()]);
  }

  tell(state: Partial<PollState>): void {
    this.state = { ...this.state, ...state };
    this.poller.tell(this.state);
    this.follower.tell(this.state);
  }

  focus(isFocused = true): void {
    this.tell({ isFocused, isActive: isFocused });
  }

  kill(): void {
    this.isFrozen = true;
  }

  async stop(): Promise<void> {
    this.poller.stop();
    this.follower.stop();
    if (!this.isFrozen) await this.running;
    this.client.close();
  }
}
