import type { ReplicaAccount } from '../../core/replica/replica.ts';
import { iterationEnd, lastPollOf } from './pollRows.ts';
import { type Attention, isOld, type LastPoll, nextPollAt } from './pollSchedule.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';

export interface PollPlanNeeds {
  readonly file: ReplicaFile;
  readonly now: () => number;
  readonly random: () => number;
}

interface Planned {
  /** What it was made from; other facts give another plan. */
  readonly from: string;
  readonly at: number | undefined;
}

/** When each account's server is to be asked next, by what the replica says of the last time. */
export class PollPlan {
  private readonly needs: PollPlanNeeds;
  /** When each account came, or was last tried from here: whoever came has just been read for being shown. */
  private readonly tried = new Map<string, number>();
  private readonly planned = new Map<string, Planned>();
  private readonly turns = new Map<string, { readonly askedAt: number; readonly at: number }>();

  constructor(needs: PollPlanNeeds) {
    this.needs = needs;
  }

  /** Forgets all others. */
  keep(accounts: readonly ReplicaAccount[]): void {
    const kept = new Set(accounts.map(textOf));
    for (const text of this.tried.keys()) if (!kept.has(text)) this.tried.delete(text);
    for (const account of accounts) if (!this.tried.has(textOf(account))) this.noteTried(account);
  }

  noteTried(account: ReplicaAccount): void {
    this.tried.set(textOf(account), this.needs.now());
  }

  /** `isBack` when somebody who was away wants to see what is new now. */
  isDue(account: ReplicaAccount, attention: Attention, isBack: boolean): boolean {
    const now = this.needs.now();
    const last = this.lastOf(account);
    if (isBack && isOld(attention, last, now)) return true;
    const at = this.nextAt(account, attention);
    return at !== undefined && (at <= now || now < last.askedAt);
  }

  nextAt(account: ReplicaAccount, attention: Attention): number | undefined {
    const last = this.lastOf(account);
    const { isFocused, isActive, isVisible, seconds } = attention;
    const from = JSON.stringify([last, isFocused, isActive, isVisible, seconds]);
    const before = this.planned.get(textOf(account));
    if (before?.from === from) return before.at;
    const at = nextPollAt(attention, last, this.needs.random());
    this.planned.set(textOf(account), { from, at });
    return at;
  }

  private lastOf(account: ReplicaAccount): LastPoll {
    const last = this.needs.file.run((database) => lastPollOf(database, account, this.needs.now()));
    const askedAt = Math.max(last.askedAt, this.tried.get(textOf(account)) ?? 0);
    const retryAfter = Math.max(0, last.askedAt + (last.retryAfter ?? 0) - askedAt);
    return { askedAt, failures: last.failures, retryAfter, turnsAt: this.turnAfter(account, askedAt) };
  }

  /** The end of an iteration or of the day here, whichever comes first. */
  private turnAfter(account: ReplicaAccount, askedAt: number): number {
    const known = this.turns.get(textOf(account));
    if (known?.askedAt === askedAt) return known.at;
    const end = this.needs.file.run((database) => iterationEnd(database, account, askedAt));
    const at = Math.min(end ?? Number.POSITIVE_INFINITY, new Date(askedAt).setHours(24, 0, 0, 0));
    this.turns.set(textOf(account), { askedAt, at });
    return at;
  }
}

/** A name for an account at its address. */
export function textOf({ accountId, address }: ReplicaAccount): string {
  return JSON.stringify([accountId, address]);
}
