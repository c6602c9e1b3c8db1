import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { PollState } from '../../core/replica/polling.ts';
import type { ReplicaAccount } from '../../core/replica/replica.ts';
import { LONGEST_LEASE_MS, releaseLease, renewLease, takeLease } from '../file/lease.ts';
import type { ReplicaFile } from '../file/replicaFile.ts';
import { type FailureRecordingSync, isOfTheServer } from '../refresh/failureRecordingSync.ts';
import { nextPollAt } from './nextPoll.ts';
import { lastFailureOf, markNow, PollPlan, polledProjects, textOf } from './pollPlan.ts';

export interface PollerNeeds {
  readonly file: ReplicaFile;
  readonly sync: Pick<FailureRecordingSync, 'readProjects' | 'refresh' | 'failed'>;
  /** Prepares calls of an account's server. Throws `TrackerError`. */
  readonly open: (accountId: string) => Promise<void>;
  readonly log: Log;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or earlier when the signal comes. */
  readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Who this window is among those that could poll. */
  readonly owner: string;
}

const LEASE = 'poll';
/** No project takes longer to be asked; who is silent for so long has died. */
const TURN_MS = 60_000;
/** What one project's server does slowly must not hold up the others for longer. */
const SLOW_MS = 5_000;
/** Between a poll that is due and the moment from which another window may do it. */
const GRACE_MS = 30_000;
/** Long waits are made of these, so that one that lasted longer shows that the machine was asleep. */
const TICK_MS = 10_000;
const LATE_MS = 5000;

/**
 * Asks servers from time to time what is new, for all windows: the one that was focused last does it, as long as it holds
 * the lease. When is due is decided by what the replica says of the last time, whoever asked then.
 */
export class Poller {
  private readonly needs: PollerNeeds;
  private readonly plan: PollPlan;
  private readonly stopping = new AbortController();
  private waiting = new AbortController();
  private state: PollState | undefined;
  /** By account, so that none waits for another's server. */
  private readonly underWay = new Map<string, Promise<void>>();
  private focusedAt = 0;
  /** Someone came back to the window, or the machine to life. */
  private isBack = false;
  /** Another window has the lease. */
  private isLeft = false;
  private isRunning = false;

  constructor(needs: PollerNeeds) {
    this.needs = needs;
    this.plan = new PollPlan(needs);
  }

  tell(state: PollState): void {
    const before = this.state;
    this.state = state;
    if (state.isFocused && !before?.isFocused) this.focusedAt = this.needs.now();
    const isNearer = (key: 'isFocused' | 'isVisible') => state[key] && before?.[key] === false;
    if (isNearer('isFocused') || isNearer('isVisible')) this.isBack = true;
    this.plan.keep(state.accounts);
    this.waiting.abort();
  }

  /** Another window may go on at once. */
  stop(): void {
    if (this.isStopped) return;
    this.stopping.abort();
    this.waiting.abort();
    if (this.isRunning) this.needs.file.run((database) => releaseLease(database, this.lease));
  }

  /** Settles after `stop`, when what was under way has ended. */
  async run(): Promise<void> {
    await this.needs.file.ready();
    this.isRunning = true;
    while (!this.isStopped) {
      this.waiting = new AbortController();
      try {
        this.pollWhatIsDue();
      } catch (thrown) {
        this.warn(thrown);
      }
      await this.pause();
    }
    await Promise.all(this.underWay.values());
  }

  private get isStopped(): boolean {
    return this.stopping.signal.aborted;
  }

  private get lease() {
    return { name: LEASE, owner: this.needs.owner };
  }

  private get idleAccounts(): readonly ReplicaAccount[] {
    return this.state?.accounts.filter((account) => !this.underWay.has(textOf(account))) ?? [];
  }

  private warn(thrown: unknown): void {
    this.needs.log.warn(`polling: ${messageOf(thrown)}`);
  }

  private pollWhatIsDue(): void {
    const { state } = this;
    const { isBack } = this;
    this.isBack = false;
    this.isLeft = false;
    const due = state ? this.idleAccounts.filter((account) => this.plan.isDue(account, state, isBack)) : [];
    if (due.length === 0) return;
    this.isLeft = !this.take();
    if (this.isLeft) return;
    for (const account of due) {
      const ended = this.poll(account).then(() => this.end(account));
      const settled = ended.catch((thrown: unknown) => this.warn(thrown));
      this.underWay.set(textOf(account), settled);
    }
  }

  private end(account: ReplicaAccount): void {
    this.underWay.delete(textOf(account));
    this.waiting.abort();
    const now = this.needs.now();
    const until = Math.min(Math.max(this.nextAt() ?? 0, now) + GRACE_MS, now + LONGEST_LEASE_MS);
    this.needs.file.run((database) => renewLease(database, { ...this.lease, until }));
  }

  private async poll(account: ReplicaAccount): Promise<void> {
    const { open, sync, log } = this.needs;
    this.plan.noteTried(account);
    try {
      await open(account.accountId).catch(async (thrown: unknown) => {
        await sync.failed(account, thrown);
        throw thrown;
      });
      await sync.readProjects(account);
      await this.refreshAll(account);
    } catch (thrown) {
      log.warn(`polling ${account.accountId}: ${messageOf(thrown)}`);
    }
  }

  /** One after the other, but for those that take long. */
  private async refreshAll(account: ReplicaAccount): Promise<void> {
    const projects = this.needs.file.run((database) => polledProjects(database, account));
    const late: Promise<void>[] = [];
    try {
      for (const projectId of projects) {
        if (!this.goesOn() || !this.isKnown(account)) break;
        const refreshing = this.refresh(account, projectId);
        if (!(await this.isSoon(refreshing))) late.push(refreshing);
      }
    } finally {
      await Promise.allSettled(late);
    }
    await Promise.all(late);
  }

  /** Not when someone signed out in the meantime. */
  private isKnown(account: ReplicaAccount): boolean {
    return this.state?.accounts.some((one) => textOf(one) === textOf(account)) === true;
  }

  /** Whether it ends before the next project is to have its turn; throws as it does. */
  private async isSoon(work: Promise<void>): Promise<boolean> {
    const done = new AbortController();
    const patience = this.needs.wait(SLOW_MS, AbortSignal.any([done.signal, this.stopping.signal]));
    try {
      return await Promise.race([work.then(() => true), patience.then(() => false)]);
    } finally {
      done.abort();
    }
  }

  /** Throws what the account's other projects would fail with too. */
  private async refresh(account: ReplicaAccount, projectId: number): Promise<void> {
    if (this.isPutOff(account, projectId)) return;
    const mark = this.needs.file.run((database) => markNow(database, account));
    try {
      const options = { isListed: true, ...(mark !== undefined && { mark }) };
      await this.needs.sync.refresh({ ...account, projectId }, options);
    } catch (thrown) {
      if (thrown instanceof TrackerError && isOfTheServer(thrown)) throw thrown;
      this.needs.log.warn(`polling project ${projectId}: ${messageOf(thrown)}`);
    }
  }

  private isPutOff(account: ReplicaAccount, projectId: number): boolean {
    const now = this.needs.now();
    const failure = this.needs.file.run((database) => lastFailureOf(database, account, projectId, now));
    const at = failure && this.state && nextPollAt(this.state, failure, this.needs.random());
    return at !== undefined && at > now;
  }

  private take(): boolean {
    const now = this.needs.now();
    const isSetBack = this.focusedAt > now;
    if (isSetBack) this.focusedAt = this.state?.isFocused ? now : 0;
    const claim = { ...this.lease, rank: this.focusedAt, until: now + TURN_MS, now };
    return this.needs.file.run((database) => takeLease(database, claim));
  }

  /** Not when another window has taken over. */
  private goesOn(): boolean {
    if (this.isStopped) return false;
    return this.needs.file.run((database) =>
      renewLease(database, { ...this.lease, until: this.needs.now() + TURN_MS }),
    );
  }

  private nextAt(): number | undefined {
    const { state } = this;
    const times = state ? this.idleAccounts.flatMap((account) => this.plan.nextAt(account, state) ?? []) : [];
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  private async pause(): Promise<void> {
    if (this.isBack) return;
    const { now, wait } = this.needs;
    const before = now();
    const left = this.isLeft ? TICK_MS : (this.nextAt() ?? Number.POSITIVE_INFINITY) - before;
    const tick = Math.max(0, Math.min(TICK_MS, left));
    await wait(tick, this.waiting.signal);
    if (now() - before > tick + LATE_MS) this.isBack = true;
  }
}
