import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { Replica, ReplicaAccount, Sync } from '../../core/replica/replica.ts';
import type { Account } from '../accounts/account.ts';
import type { Event } from '../shell/emitter.ts';

/** What projects need of the accounts of whoever is signed in. */
export interface ProjectAccounts {
  /** Someone signed in or out. */
  readonly onDidChange: Event<void>;
  /** What no server has taken yet. */
  readonly outbox: Outbox;
  /** What is known of all accounts' projects without asking a server. */
  readonly replica: Replica;
  list(): Promise<readonly Account[]>;
  find(accountId: string): Promise<Account | undefined>;
  /** @throws TrackerError `unauthorized` when nobody is signed in anywhere. */
  requireAny(): Promise<void>;
  /** As `list`, and whoever sends knows from then on how to reach each. */
  reachable(): Promise<readonly Account[]>;
  tracker(accountId: string): Tracker;
  /** Brings the replica up to what the account's server says. */
  sync(accountId: string): Sync;
}

/** What an account is called in the replica, which depends on settings. */
export type ReplicaAccountOf = (account: Account) => ReplicaAccount;
