import type { Activity } from '../story/activity.ts';
import type { ReplicaAccount, ReplicaProject } from './replica.ts';

/** An activity as the replica keeps it. */
export interface ToldActivity {
  readonly project: ReplicaProject;
  readonly activity: Activity;
  /** Nobody has looked at it since it came, and it is another person's. */
  readonly isUnread: boolean;
  /** One's own, as far as it is known what one is called there. */
  readonly isOwn: boolean;
}

export interface ToldQuery {
  readonly accounts: readonly ReplicaAccount[];
  readonly limit: number;
  /** Only such as happened at or after this moment, in milliseconds since the epoch. */
  readonly since?: number;
}

/** What happened in the projects, as far as the replica was told. Asks no server. */
export interface ActivityLog {
  /** Newest first. */
  told(query: ToldQuery): Promise<readonly ToldActivity[]>;
  /** How many are unread. */
  unread(accounts: readonly ReplicaAccount[]): Promise<number>;
  /** Everything told so far counts as looked at, in all windows. */
  markRead(accounts: readonly ReplicaAccount[]): Promise<void>;
  /** Activities that came since the last call in any window: each is given to one window once. Those of the first read of a project are not given. */
  claimFresh(accounts: readonly ReplicaAccount[]): Promise<readonly ToldActivity[]>;
  /** What one is called on the server; what one did oneself is never unread. */
  setOwnName(account: ReplicaAccount, name: string): Promise<void>;
}
