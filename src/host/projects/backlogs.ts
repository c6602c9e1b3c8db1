import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import { isAway, TrackerError } from '../../core/errors.ts';
import { type Intent, meansPendingStory } from '../../core/intents/intent.ts';
import type { Log } from '../../core/log.ts';
import type { OutboxEntry, Submission } from '../../core/outbox/outbox.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { RefreshOptions } from '../../core/replica/replica.ts';
import type { Story } from '../../core/story/story.ts';
import type { Accounts } from '../accounts/accounts.ts';
import { replicaAccount } from '../accounts/replicaAccount.ts';
import { inBackground } from '../shell/turnBudget.ts';
import { type FoundStory, keyText, type ProjectKey } from '../tree/nodes.ts';
import { BacklogMirror } from './backlogMirror.ts';
import { BacklogReader } from './backlogReader.ts';
import { LazyPendingChanges } from './lazyPendingChanges.ts';
import { type AccountFailure, type AccountState, type ProjectEntry, ProjectList } from './projectList.ts';
import { ProjectReader } from './projectReader.ts';

/**
 * What is known of every project: as the server last said, with the changes on top that are under way. Views and
 * commands read it; nobody else asks servers for backlogs.
 */
export class Backlogs implements vscode.Disposable {
  private readonly accounts: Accounts;
  private readonly log: Log;
  private readonly mirror: BacklogMirror;
  private readonly list = new ProjectList();
  private readonly pending: LazyPendingChanges;
  private readonly projectReader: ProjectReader;
  private readonly reader: BacklogReader;
  private readonly changed = new vscode.EventEmitter<ProjectKey | undefined>();
  private readonly listening: vscode.Disposable;

  /** The project whose backlog changed; `undefined` when the list of projects did. */
  readonly onDidChange = this.changed.event;

  constructor(accounts: Accounts, log: Log) {
    this.accounts = accounts;
    this.log = log;
    this.mirror = new BacklogMirror(accounts);
    const { list, mirror } = this;
    const changed = (key: ProjectKey) => this.changed.fire(key);
    this.pending = new LazyPendingChanges({
      ...{ outbox: accounts.outbox, log, changed },
      accounts: async () => (await accounts.reachable()).map(replicaAccount),
      reload: (key) => this.reload(key),
      isLoaded: (key) => mirror.getSome(key) !== undefined,
    });
    this.projectReader = new ProjectReader({
      ...{ accounts, mirror, list, log },
      onList: () => this.inBackground(this.attend()),
      onRead: () => this.changed.fire(undefined),
    });
    this.reader = new BacklogReader({
      ...{ mirror, list, log, changed, pending: this.pending },
      onAnswer: ({ accountId }) => this.inBackground(this.readMissing(accountId)),
    });
    this.listening = accounts.onDidChange(() => {
      this.inBackground(mirror.forgetSignedOut());
      this.inBackground(this.followAccounts());
    });
  }

  /** Accounts that could not be read the last time; then those of projects that could not, their list being there. */
  get failures(): readonly AccountFailure[] {
    return this.list.failures;
  }

  /** When a server last told all it has, in milliseconds since the epoch; absent before that. */
  get readAt(): number | undefined {
    return this.list.readAt;
  }

  tracker(key: ProjectKey): Tracker {
    return this.accounts.tracker(key.accountId);
  }

  /**
   * As `projects`, for what can do nothing without one.
   * @throws TrackerError `unauthorized` when nobody is signed in, `notFound` when there is no project, or what a server said.
   */
  async requireProjects(): Promise<readonly ProjectEntry[]> {
    await this.accounts.requireAny();
    const projects = await this.projects();
    if (projects.length > 0) return projects;
    const [failure] = this.failures;
    if (failure) throw failure.error;
    throw new TrackerError('notFound', vscode.l10n.t('You have no project yet. Run "Story Tracker: New Project…".'));
  }

  /**
   * Every project of every account, read after somebody signed in or out. On first use those that the replica has, if it
   * knows all accounts; servers are asked then too, and the answers follow.
   */
  async projects(): Promise<readonly ProjectEntry[]> {
    await this.projectReader.fill();
    return this.list.entries ?? [];
  }

  /** The backlog as it is to be shown, once it has been loaded. */
  peek(key: ProjectKey): Backlog | undefined {
    return this.reader.peek(key);
  }

  /** As `peek`; while the backlog is read for the first time also what has come of it. */
  peekSome(key: ProjectKey): Backlog | undefined {
    return this.reader.peekSome(key);
  }

  /** As `backlog`, as soon as there is something of it to show; the rest follows. */
  async some(key: ProjectKey): Promise<Backlog> {
    const whole = this.backlog(key);
    const part = new Promise<Backlog>((resolve) => {
      const look = () => {
        const some = this.peekSome(key);
        if (some) resolve(some);
      };
      const listening = this.onDidChange(look);
      const stop = () => listening.dispose();
      whole.then(stop, stop);
      look();
    });
    return Promise.race([whole, part]);
  }

  /** The backlog as it is to be shown. On first use what the replica has, the server's answer following, else that answer. */
  async backlog(key: ProjectKey): Promise<Backlog> {
    if (!this.pending.opened) await this.pending.open();
    await this.reader.fill(key);
    const backlog = this.peek(key);
    if (!backlog) throw new Error(vscode.l10n.t('This project is no longer there.'));
    return backlog;
  }

  /** Every loaded backlog; loads those of all projects first when asked. */
  async all(): Promise<readonly { readonly key: ProjectKey; readonly backlog: Backlog }[]> {
    const projects = await this.projects();
    return Promise.all(projects.map(async ({ key }) => ({ key, backlog: await this.backlog(key) })));
  }

  /** A story among those loaded, in any project or those that `where` means: ids are unique on a server only. */
  peekStory(storyId: number, where: Partial<ProjectKey> = {}): FoundStory | undefined {
    for (const key of this.keysOf(where)) {
      const backlog = this.peekSome(key);
      const story = backlog && findStory(backlog, storyId);
      if (story) return { key, story };
    }
    return undefined;
  }

  /**
   * A story by id, asked of the servers when it is not among those loaded. `undefined` when no project has it.
   * @throws TrackerError of a server that could not be asked, when no other has the story.
   */
  async story(storyId: number, where: Partial<ProjectKey> = {}): Promise<FoundStory | undefined> {
    const loaded = this.peekStory(storyId, where);
    if (loaded) return loaded;
    await this.projects();
    // A list from the replica may lack what is new.
    await this.projectReader.settled();
    const needs = { tracker: (key: ProjectKey) => this.tracker(key), log: this.log };
    const { askForStory } = await import('./askForStory.ts');
    const { found, errors } = await askForStory(needs, this.keysOf(where), storyId);
    if (found) return found;
    const [error] = [...errors, ...this.list.failed.map((failure) => failure.error)];
    if (error) throw error;
    return undefined;
  }

  /** What servers have not taken yet, or refused when nobody waited for it. */
  get unsent(): readonly OutboxEntry[] {
    return this.pending.opened?.entries ?? [];
  }

  /** Takes a change back that no server has; `false` when it is being sent just now. */
  async discard(id: string): Promise<boolean> {
    return (await this.pending.open()).discard(id);
  }

  /** As `discard` for changes that belong together: all of them, or none when a server may have heard of one. */
  async withdraw(ids: readonly string[]): Promise<boolean> {
    return (await this.pending.open()).withdraw(ids);
  }

  /** What to call a project's server in a sentence. */
  hostOf(key: ProjectKey): string {
    const account = this.list.entry(key)?.account;
    return account?.baseUrl === undefined ? (account?.label ?? key.accountId) : new URL(account.baseUrl).host;
  }

  /** Shows what a person wants at once, and has it sent now, or, safe on disk, as soon as the server can be reached. */
  async submit(key: ProjectKey, intents: readonly Intent[]): Promise<Submission> {
    if (intents.some(meansPendingStory)) {
      throw new TrackerError('input', vscode.l10n.t('A story that its server does not have yet cannot be changed.'));
    }
    const pending = this.pending.opened ?? (await this.pending.open());
    const account = this.list.entry(key)?.account ?? (await this.accounts.find(key.accountId));
    if (!account) throw new TrackerError('unauthorized', vscode.l10n.t('Nobody is signed in to this server.'));
    return pending.submit(key, replicaAccount(account), intents);
  }

  /** Puts a story as a server has just answered it. */
  put(key: ProjectKey, story: Story): void {
    this.inBackground(this.mirror.put(key, story));
    this.changed.fire(key);
  }

  /** Reads one story again, for what an upload or a commit did to it. */
  async refreshStory(key: ProjectKey, storyId: number): Promise<Story> {
    const story = await this.tracker(key).getStory({ projectId: key.projectId, storyId });
    this.put(key, story);
    return story;
  }

  /**
   * Reads projects and loaded backlogs again, each account's when its own server has told its projects. What is shown stays
   * until the answers are there.
   */
  async refresh(options: Pick<RefreshOptions, 'isAskedFor'> = {}): Promise<void> {
    const reads = new Map<string, Promise<unknown>>();
    const readLoaded = (accountId: string) => {
      const hasFailed = this.list.failed.some(({ account }) => account.id === accountId);
      const loaded = this.list.keys.filter((key) => key.accountId === accountId && this.mirror.getSome(key));
      const keys = hasFailed ? [] : loaded;
      reads.set(
        accountId,
        Promise.allSettled(keys.map((key) => this.reader.read(key, { ...options, isListed: true }))),
      );
    };
    await this.projectReader.read(readLoaded);
    // Those that a later reading of the list has told instead.
    const accountIds = new Set(this.list.keys.map(({ accountId }) => accountId));
    for (const accountId of accountIds) if (!reads.has(accountId)) readLoaded(accountId);
    await Promise.all(reads.values());
  }

  /**
   * Reads a backlog again after something was written to it; a second call while one is under way waits for a fresh answer
   * of its own.
   */
  reload(key: ProjectKey): Promise<void> {
    return this.reader.read(key, { isWritten: true });
  }

  /** Takes over a backlog that changed in the replica, where it is shown or was to be. */
  followProject({ accountId, projectId }: ProjectKey): Promise<void> {
    return this.reader.follow({ accountId, projectId });
  }

  /** Takes over what was found out without being asked for; what this window is just asking for will be newer. */
  follow(told: readonly AccountState[]): void {
    if (!this.list.entries || this.projectReader.areAccountsChanged) return;
    const states = told.filter(({ account }) => !this.projectReader.isAsking(account.id));
    if (states.length === 0 && told.length > 0) return;
    const back = this.list.follow(states);
    if (states.some(({ listed }) => listed)) this.mirror.keep(this.list.keys);
    if (back.size > 0) this.inBackground(this.sendWaiting(back));
    this.changed.fire(undefined);
  }

  async loadMoreDone(key: ProjectKey): Promise<void> {
    await this.backlog(key);
    await this.reader.readMoreDone(key);
  }

  /** Has what waits for the people who are signed in sent, left behind by another window or an earlier start perhaps. */
  async attend(): Promise<void> {
    await (await this.pending.open()).attend();
  }

  dispose(): void {
    this.pending.dispose();
    this.listening.dispose();
    this.changed.dispose();
  }

  /** Nothing is asked of servers because of a sign-in before somebody wants to see something. */
  private async followAccounts(): Promise<void> {
    if (!this.projectReader.isWanted) return this.changed.fire(undefined);
    this.projectReader.noticeAccounts();
    try {
      await this.refresh();
    } catch (thrown) {
      this.log.error(thrown instanceof Error ? thrown : String(thrown));
    }
  }

  /** Sends what waits only because these accounts' servers could not be reached; they can again. */
  private async sendWaiting(accountIds: ReadonlySet<string>): Promise<void> {
    const waiting = this.unsent.filter(
      ({ state, project, problem }) =>
        state === 'waiting' && problem?.kind !== 'unauthorized' && accountIds.has(project.accountId),
    );
    if (waiting.length > 0) await this.accounts.outbox.retry(waiting.map(({ id }) => id));
  }

  /** An account that answers is not away any more, whoever noticed it first. */
  private async readMissing(accountId: string): Promise<void> {
    if (this.projectReader.isReading) return;
    if (!this.failures.some(({ account, error }) => account.id === accountId && isAway(error))) return;
    await this.projectReader.read();
    const missing = this.list.keys.filter((key) => key.accountId === accountId && isAway(this.list.errorOf(key)));
    await Promise.allSettled(missing.map((key) => this.reader.read(key, { isListed: true })));
  }

  private keysOf(where: Partial<ProjectKey>): readonly ProjectKey[] {
    return this.list.keys.filter((key) => keyText({ ...key, ...where }) === keyText(key));
  }

  private inBackground(work: Promise<unknown>): void {
    inBackground(this.log, work);
  }
}
