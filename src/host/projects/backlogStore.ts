import type { Log } from '../../core/log.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { Subscription } from '../shell/emitter.ts';
import { inBackground } from '../shell/turnBudget.ts';
import { BacklogMirror } from './backlogMirror.ts';
import { BacklogReader } from './backlogReader.ts';
import { BacklogState } from './backlogState.ts';
import { PendingChanges } from './pendingChanges.ts';
import type { ProjectAccounts, ReplicaAccountOf } from './projectAccounts.ts';
import { ProjectReader } from './projectReader.ts';
import { ProjectRefresh } from './projectRefresh.ts';

export interface StoreNeeds {
  readonly accounts: ProjectAccounts;
  readonly replicaAccount: ReplicaAccountOf;
  readonly log: Log;
}

/** The state of all projects, with what reads it from the replica and servers and what changes it. Asks nobody by itself. */
export class BacklogStore {
  readonly state: BacklogState;
  readonly reader: BacklogReader;
  readonly projectReader: ProjectReader;
  readonly pending: PendingChanges;
  readonly refreshing: ProjectRefresh;
  private readonly log: Log;
  private readonly listening: Subscription;

  constructor(needs: StoreNeeds) {
    const { accounts, replicaAccount, log } = needs;
    const state = new BacklogState(new BacklogMirror(needs));
    const reader = new BacklogReader({ state, log });
    const projectReader = new ProjectReader({ accounts, state, log });
    const attendedAccounts = async () => (await accounts.reachable()).map(replicaAccount);
    const pending = new PendingChanges({ outbox: accounts.outbox, attendedAccounts, state, reader, log });
    state.unsent = pending.unsent;
    this.refreshing = new ProjectRefresh({ accounts, state, projectReader, reader, log });
    this.listening = projectReader.onDidList(() => inBackground(log, pending.attend()));
    this.state = state;
    this.reader = reader;
    this.projectReader = projectReader;
    this.pending = pending;
    this.log = log;
  }

  /** Takes in a story as its server has just told it. */
  putStory(key: ProjectKey, story: Story): void {
    inBackground(this.log, this.state.mirror.putStory(key, story));
    this.state.tellChanged(key);
  }

  /** Forgets what the replica has of those who are no longer signed in. */
  forgetSignedOut(): void {
    inBackground(this.log, this.state.mirror.forgetSignedOut());
  }

  dispose(): void {
    const { listening, refreshing, pending, projectReader, reader, state } = this;
    for (const one of [listening, refreshing, pending, projectReader, reader, state]) one.dispose();
  }
}
