import { failureMeans, isAway, messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { RefreshOptions } from '../../core/replica/replica.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Subscription } from '../shell/emitter.ts';
import { inBackground } from '../shell/turnBudget.ts';
import type { BacklogReader } from './backlogReader.ts';
import type { BacklogState } from './backlogState.ts';
import type { ProjectAccounts } from './projectAccounts.ts';
import type { AccountState } from './projectList.ts';
import type { ProjectReader } from './projectReader.ts';

interface Needs {
  readonly accounts: Pick<ProjectAccounts, 'onDidChange' | 'outbox'>;
  readonly state: BacklogState;
  readonly projectReader: ProjectReader;
  readonly reader: BacklogReader;
  readonly log: Log;
}

/** Brings what is shown up to date: when a person asks, when someone signs in or out, and when a server is back. */
export class ProjectRefresh {
  private readonly needs: Needs;
  private readonly listening: readonly Subscription[];

  constructor(needs: Needs) {
    this.needs = needs;
    const { accounts, reader, state, log } = needs;
    this.listening = [
      accounts.onDidChange(() => {
        inBackground(log, state.mirror.forgetSignedOut());
        inBackground(log, this.followAccounts());
      }),
      reader.onDidAnswer(({ accountId }) => inBackground(log, this.readMissing(accountId))),
    ];
  }

  /**
   * Reads projects and loaded backlogs again, each account's when its own server has told its projects; those that are being
   * read once more after that, since that may have begun earlier. What is shown stays until the answers are there.
   */
  async refresh(options: Pick<RefreshOptions, 'isAskedFor'> = {}): Promise<void> {
    const { state, projectReader, reader } = this.needs;
    const { list } = state;
    const waitingSince = Date.now();
    const reads = new Map<string, Promise<unknown>>();
    const readLoaded = (accountId: string) => {
      const hasFailed = list.failed.some(({ account }) => account.id === accountId);
      const isLoaded = (key: ProjectKey) => state.isKnown(key) || reader.isReading(key);
      const loaded = list.keys.filter((key) => key.accountId === accountId && isLoaded(key));
      const keys = hasFailed ? [] : loaded;
      reads.set(
        accountId,
        Promise.allSettled(keys.map((key) => reader.read(key, { ...options, waitingSince, isListed: true }))),
      );
    };
    await projectReader.read(readLoaded);
    // Those that a later reading of the list has told instead.
    const accountIds = new Set(list.keys.map(({ accountId }) => accountId));
    for (const accountId of accountIds) if (!reads.has(accountId)) readLoaded(accountId);
    await Promise.all(reads.values());
  }

  /** Takes over what was found out without being asked for; what this window is just asking for will be newer. */
  follow(told: readonly AccountState[]): void {
    const { state, projectReader, log } = this.needs;
    const { list, mirror } = state;
    if (!list.entries || projectReader.areAccountsChanged) return;
    const states = told.filter(({ account }) => !projectReader.isAsking(account.id));
    if (states.length === 0 && told.length > 0) return;
    const back = list.follow(states);
    if (states.some(({ listed }) => listed)) mirror.keepOnly(list.keys);
    if (back.size > 0) inBackground(log, this.sendWaiting(back));
    state.tellListChanged();
  }

  dispose(): void {
    for (const one of this.listening) one.dispose();
  }

  /** A sign-in sends no requests before someone wants to see something. */
  private async followAccounts(): Promise<void> {
    const { state, projectReader, log } = this.needs;
    if (!projectReader.isWanted) return state.tellListChanged();
    projectReader.noticeAccounts();
    try {
      await this.refresh();
    } catch (thrown) {
      log.error(thrown instanceof Error ? thrown : messageOf(thrown));
    }
  }

  /**
   * Sends what waits because these accounts' servers could not be reached; they can again. Nothing else: a retry forgets
   * for how long a server asked to be left alone, and how often it has failed at a change.
   */
  private async sendWaiting(accountIds: ReadonlySet<string>): Promise<void> {
    const { accounts, state } = this.needs;
    const waiting = (state.unsent?.entries ?? []).filter(
      (entry) =>
        entry.state === 'waiting' &&
        failureMeans(entry.problem?.kind, 'away') &&
        accountIds.has(entry.project.accountId),
    );
    if (waiting.length > 0) await accounts.outbox.retry(waiting.map(({ id }) => id));
  }

  /** An account that answers is not away any more, whoever noticed it first. */
  private async readMissing(accountId: string): Promise<void> {
    const { state, projectReader, reader } = this.needs;
    const { list } = state;
    if (projectReader.isReading) return;
    if (!list.failures.some(({ account, error }) => account.id === accountId && isAway(error))) return;
    await projectReader.read();
    const missing = list.keys.filter((key) => key.accountId === accountId && isAway(list.errorOf(key)));
    await Promise.allSettled(missing.map((key) => reader.read(key, { isListed: true })));
  }
}
