import type { TrackerErrorKind } from '../errors.ts';
import type { ReplicaAccount, ReplicaProject } from './replica.ts';

/** How much this window is in use, and what it should poll. */
export interface PollState {
  readonly accounts: readonly ReplicaAccount[];
  readonly isFocused: boolean;
  /** Something was typed or pointed at lately. */
  readonly isActive: boolean;
  /** One of our views is shown. */
  readonly isVisible: boolean;
  /** Between polls while someone works in the window; with 0, servers are not polled. */
  readonly seconds: number;
}

/** Why the last call for an account's list of projects, or for one project, failed. Gone after the next that does not. */
export interface Trouble {
  readonly kind: TrackerErrorKind;
  /** A sentence for a person. */
  readonly message: string;
  readonly projectId?: number;
  /** When it was last so, in milliseconds since the epoch. */
  readonly at: number;
}

export interface AccountNews {
  readonly account: ReplicaAccount;
  /** The list of projects is another one. */
  readonly isListChanged: boolean;
  /** When the server last told its projects, in milliseconds since the epoch; absent before that. */
  readonly readAt?: number;
  readonly troubles: readonly Trouble[];
}

/** What became different in the replica, whichever window did it. */
export interface ReplicaNews {
  /** Of which stories, their order or the project itself changed. */
  readonly projects: readonly ReplicaProject[];
  /** All that were asked about. */
  readonly accounts: readonly AccountNews[];
  readonly areActivitiesChanged: boolean;
}

/** Keeps the replica up to date without being asked, in one window for all, and tells each what became different. */
export interface Polling {
  /** Goes on until the signal ends it. */
  run(options: { readonly onNews: (news: ReplicaNews) => void; readonly signal: AbortSignal }): Promise<void>;
  /** To be told at each change, and first before or soon after `run`. */
  tell(state: PollState): Promise<void>;
}
