import type { Log } from '../../../src/core/log.ts';
import type { ReplicaAccount, ReplicaProject } from '../../../src/core/replica/replica.ts';
import { ReplicaFile } from '../../../src/sync/file/replicaFile.ts';
import { OutboxSender } from '../../../src/sync/outbox/outboxSender.ts';
import { LocalReplica } from '../../../src/sync/replica/replica.ts';
import type { Seeded } from '../measures/seeded.ts';
import { silentLog } from '../silentLog.ts';
import type { OutboxServer } from '../trackers/outboxServer.ts';
import type { SteppedClock } from './steppedClock.ts';

export const account: ReplicaAccount = { accountId: 'ada', address: 'https://tracker.example' };
export const project: ReplicaProject = { ...account, projectId: 1 };

export interface WindowNeeds {
  readonly path: string;
  readonly server: OutboxServer;
  readonly clock: SteppedClock;
  readonly chance: Seeded;
  readonly log?: Log;
}

/** One window's side of the outbox. Killed, it leaves everything as it is at that moment. */
export class OutboxWindow {
  readonly file: ReplicaFile;
  readonly replica: LocalReplica;
  readonly outbox: OutboxSender;
  private frozen: PromiseWithResolvers<void> | undefined;

  constructor({ path, server, clock, chance, log = silentLog }: WindowNeeds) {
    this.file = new ReplicaFile({ path, log, busyMs: 50, now: clock.now });
    this.replica = new LocalReplica(this.file);
    this.outbox = new OutboxSender({
      ...{
        file: this.file,
        log,
        now: clock.now,
        wait: (ms, signal) => clock.wait(ms, signal).then(() => this.frozen?.promise),
      },
      tracker: () => server.tracker(),
      random: () => chance.below(1_000_000) / 1_000_000,
    });
  }

  async open(): Promise<this> {
    await this.outbox.attend([account]);
    return this;
  }

  /** Nothing that the process waited for comes to it any more, until it thaws. */
  freeze(): void {
    this.frozen = Promise.withResolvers();
  }

  thaw(): void {
    this.frozen?.resolve();
    this.frozen = undefined;
  }

  kill(): void {
    this.outbox.close();
    this.file.close();
  }
}
