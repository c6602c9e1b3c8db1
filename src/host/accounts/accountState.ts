import type { KnownProjects } from '../../core/replica/replica.ts';
import type { Account } from './accounts.ts';

/** How asking an account's server went the last time, in whichever window. */
export interface AccountState {
  readonly account: Account;
  /** Absent where the projects are those that were told before. */
  readonly listed?: KnownProjects;
  readonly readAt?: number;
  /** Why the projects could not be read. */
  readonly error?: unknown;
  /** Why single projects could not, by id. */
  readonly unread: ReadonlyMap<number, unknown>;
}
