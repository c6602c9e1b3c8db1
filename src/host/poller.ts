import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../core/errors.ts';
import type { AccountNews, ReplicaNews, Trouble } from '../core/replica/polling.ts';
import type { Account } from './accounts/account.ts';
import { replicaAccount } from './accounts/accounts.ts';
import { isNameGone, ownNames } from './accounts/ownNames.ts';
import type { App } from './app.ts';
import type { AccountState } from './projects/projectList.ts';
import { pollSeconds } from './shell/featureSettings.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'log' | 'shownViews' | 'workspaceMemory'>;

const RESTART_MS = 10_000;
/** News waits no longer for what a server that is silent keeps from ending. */
const LONGEST_MS = 3000;
/** Who has no story, and so no name, may have one so much later. */
const NAMES_AGAIN_MS = 5 * 60_000;

/**
 * From when someone is signed in, whether or not a view is shown: has what an earlier window left unsent sent, polls servers as often
 * as this window is in use, and shows the results.
 */
export class Poller implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly stopping = new AbortController();
  private readonly listening: vscode.Disposable;
  private taking: Promise<void> = Promise.resolve();
  private named = '';
  private namedAt = 0;
  private naming: Promise<void> | undefined;

  constructor(needs: Needs) {
    this.needs = needs;
    const tell = () => this.inBackground(this.tell());
    this.listening = vscode.Disposable.from(
      vscode.window.onDidChangeWindowState(tell),
      needs.shownViews.onDidChange(tell),
      needs.accounts.onDidChange(() => {
        tell();
        this.inBackground(needs.backlogs.attend());
        // Whoever signs in may be someone else than before.
        this.inBackground(ownNames(needs));
      }),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('storyTracker.pollSeconds')) tell();
      }),
    );
    this.inBackground(this.run());
    this.inBackground(needs.backlogs.attend());
  }

  dispose(): void {
    this.listening.dispose();
    this.stopping.abort();
  }

  /** Begins again where the worker ended. */
  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const onNews = (news: ReplicaNews) => {
      this.taking = this.taking.then(() => this.take(news)).catch((thrown: unknown) => this.warn(thrown));
    };
    while (!signal.aborted) {
      this.inBackground(this.tell());
      await this.needs.engine.polling.run({ onNews, signal }).catch((thrown: unknown) => this.warn(thrown));
      await sleep(RESTART_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async tell(): Promise<void> {
    const { accounts, engine, shownViews } = this.needs;
    const { focused, active } = vscode.window.state;
    await engine.polling.tell({
      accounts: (await accounts.reachable()).map(replicaAccount),
      isFocused: focused,
      isActive: active,
      isVisible: shownViews.isAnyVisible,
      seconds: pollSeconds(),
    });
  }

  private async take({ projects, accounts: told, areActivitiesChanged }: ReplicaNews): Promise<void> {
    const { accounts, backlogs } = this.needs;
    const known = await accounts.list();
    await this.awhile(Promise.all(projects.map((project) => backlogs.followProject(project))));
    const states = told.flatMap((one) => {
      const account = known.find(({ id }) => id === one.account.accountId);
      return account ? [this.stateOf(account, one)] : [];
    });
    backlogs.follow(await Promise.all(states));
    if (!areActivitiesChanged) return;
    this.inBackground(this.tellActivities(known));
  }

  private async stateOf(
    account: Account,
    { isListChanged, readAt, troubles, ...told }: AccountNews,
  ): Promise<AccountState> {
    const listed = isListChanged ? await this.needs.engine.replica.projects(told.account) : undefined;
    const ofList = troubles.find(({ projectId }) => projectId === undefined);
    return {
      account,
      ...(listed && { listed }),
      ...(readAt !== undefined && { readAt }),
      ...(ofList && { error: errorOf(ofList) }),
      unread: new Map(
        troubles.flatMap((one) => (one.projectId === undefined ? [] : [[one.projectId, errorOf(one)] as const])),
      ),
    };
  }

  /** What one did oneself is nobody's news, so one's names are found out before news is told, where servers answer soon. */
  private async tellActivities(accounts: readonly Account[]): Promise<void> {
    this.naming ??= this.learnNames(accounts).finally(() => {
      this.naming = undefined;
    });
    await this.awhile(this.naming);
    if (!this.stopping.signal.aborted) this.needs.engine.tellActivitiesChanged();
  }

  private async learnNames(accounts: readonly Account[]): Promise<void> {
    const { backlogs, engine, workspaceMemory } = this.needs;
    // Who has no project has no name: it may be known with the first.
    const projects = await backlogs.knownProjects();
    const having = new Set(projects.map(({ account }) => account.id));
    const wanted = JSON.stringify(accounts.map(({ id, tokenSince }) => [id, tokenSince]));
    const asked = `${wanted} ${[...having].join(' ')}`;
    const isAsked = asked === this.named && Date.now() - this.namedAt < NAMES_AGAIN_MS;
    if (isAsked && !accounts.some((account) => isNameGone(workspaceMemory, account, projects))) return;
    const names = await ownNames(this.needs);
    let isKnown = true;
    for (const account of accounts) {
      const name = names[account.id];
      const isSet = name !== undefined && (await engine.activityLog.setOwnName(replicaAccount(account), name));
      isKnown &&= isSet;
    }
    this.named = asked;
    this.namedAt = isKnown ? Number.POSITIVE_INFINITY : Date.now();
  }

  private async awhile(work: Promise<unknown>): Promise<void> {
    const { signal } = this.stopping;
    const pause = sleep(LONGEST_MS, undefined, { signal, ref: false }).catch(() => undefined);
    await Promise.race([work.catch((thrown: unknown) => this.warn(thrown)), pause]);
  }

  private inBackground(work: Promise<unknown>): void {
    work.catch((thrown: unknown) => this.warn(thrown));
  }

  private warn(thrown: unknown): void {
    if (!this.stopping.signal.aborted) this.needs.log.warn(messageOf(thrown));
  }
}

function errorOf({ kind, message }: Trouble): TrackerError {
  return new TrackerError(kind, message);
}
