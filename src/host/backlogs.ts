import * as vscode from 'vscode';
import { type Backlog, findStory } from '../core/backlog.ts';
import { TrackerError } from '../core/errors.ts';
import type { Intent } from '../core/intent.ts';
import type { Log } from '../core/log.ts';
import type { OutboxEntry } from '../core/outbox.ts';
import type { Project } from '../core/project.ts';
import type { KnownProjects, RefreshOptions } from '../core/replica.ts';
import type { Story } from '../core/story.ts';
import type { Tracker } from '../core/tracker.ts';
import type { Account, Accounts } from './accounts.ts';
import { Copies, type CopyRefresh, replicaAccount } from './copies.ts';
import { keyText, type ProjectKey } from './nodes.ts';
import type { PendingChanges, Submission } from './pendingChanges.ts';
import type { Guess } from './pendingGuesses.ts';

export interface ProjectEntry {
  readonly account: Account;
  readonly key: ProjectKey;
  readonly project: Project;
}

/** An account whose projects could not be read. */
export interface AccountFailure {
  readonly account: Account;
  readonly error: unknown;
}

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

export interface FoundStory {
  readonly key: ProjectKey;
  readonly story: Story;
}

const DONE_PAGE = 5;

/**
 * What is known of every project: as the server last said, with the changes on top that are under way. Views and
 * commands read it; nobody else asks servers for backlogs.
 */
export class Backlogs implements vscode.Disposable {
  private readonly accounts: Accounts;
  private readonly log: Log;
  private readonly copies: Copies;
  private readonly loading = new Map<string, Promise<void>>();
  private pending: PendingChanges | undefined;
  private pendingOpening: Promise<PendingChanges> | undefined;
  private readonly changed = new vscode.EventEmitter<ProjectKey | undefined>();
  private readonly listening: vscode.Disposable;
  private entries: readonly ProjectEntry[] | undefined;
  private failed: readonly AccountFailure[] = [];
  private readonly unread = new Map<string, unknown>();
  private _readAt: number | undefined;
  private reading: Promise<void> | undefined;
  /** What the replica has of the list of projects is being shown, before any server is asked. */
  private painting: Promise<void> | undefined;
  /** Somebody signed in or out since the list of projects was read. */
  private accountsChanged = false;

  /** The project whose backlog changed; `undefined` when the list of projects did. */
  readonly onDidChange = this.changed.event;

  constructor(accounts: Accounts, log: Log) {
    this.accounts = accounts;
    this.log = log;
    this.copies = new Copies(accounts);
    this.listening = accounts.onDidChange(() => {
      this.inBackground(this.copies.forgetSignedOut());
      this.inBackground(this.followAccounts());
    });
  }

  /** Accounts that could not be read the last time; then those of projects that could not, their list being there. */
  get failures(): readonly AccountFailure[] {
    const isNew = ({ account }: ProjectEntry) => !this.failed.some((failure) => failure.account.id === account.id);
    const unread = (this.entries ?? [])
      .filter((entry) => this.unread.has(keyText(entry.key)) && isNew(entry))
      .map(({ account, key }) => ({ account, error: this.unread.get(keyText(key)) }));
    return [...this.failed, ...unread];
  }

  /** When a server last told all it has, in milliseconds since the epoch; absent before that. */
  get readAt(): number | undefined {
    return this._readAt;
  }

  tracker(key: ProjectKey): Tracker {
    return this.accounts.tracker(key.accountId);
  }

  /**
   * As `projects`, for what can do nothing without one.
   * @throws TrackerError `unauthorized` when nobody is signed in, `notFound` when there is no project, or what a server said.
   */
  async someProjects(): Promise<readonly ProjectEntry[]> {
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
    if (!this.entries && !this.reading) {
      this.painting ??= this.paintProjects();
      await this.painting;
    }
    if (!this.entries || this.accountsChanged) await (this.reading ?? this.loadProjects());
    return this.entries ?? [];
  }

  /** The backlog as it is to be shown, once it has been loaded. */
  peek(key: ProjectKey): Backlog | undefined {
    const known = this.copies.get(key);
    return known && (this.pending?.applied(key, known) ?? known);
  }

  /** As `peek`; while the backlog is read for the first time also what has come of it. */
  peekSome(key: ProjectKey): Backlog | undefined {
    const some = this.copies.getSome(key);
    return some && (this.pending?.applied(key, some) ?? some);
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
    if (!this.pending) await this.openPending();
    if (!this.copies.get(key)) await this.paint(key);
    if (!this.copies.get(key)) await this.loading.get(keyText(key))?.catch(() => undefined);
    if (!this.copies.get(key)) await this.queued(key, () => this.load(key, {}));
    const backlog = this.peek(key);
    if (!backlog) throw new Error(vscode.l10n.t('This project is no longer there.'));
    return backlog;
  }

  /** Every loaded backlog; loads those of all projects first when asked. */
  async all(): Promise<readonly { readonly key: ProjectKey; readonly backlog: Backlog }[]> {
    const projects = await this.projects();
    return Promise.all(projects.map(async ({ key }) => ({ key, backlog: await this.backlog(key) })));
  }

  /** A story among those loaded. */
  peekStory(storyId: number, projectId?: number): FoundStory | undefined {
    for (const { key } of this.entries ?? []) {
      if (projectId !== undefined && key.projectId !== projectId) continue;
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
  async story(storyId: number, projectId?: number): Promise<FoundStory | undefined> {
    const found = this.peekStory(storyId, projectId);
    if (found) return found;
    await this.projects();
    // A list from the replica may lack what is new.
    await this.reading?.catch(() => undefined);
    const projects = (this.entries ?? []).filter(({ key }) => projectId === undefined || key.projectId === projectId);
    const answers = await Promise.allSettled(projects.map(({ key }) => this.ask(key, storyId)));
    const held = answers.find((answer) => answer.status === 'fulfilled' && answer.value !== undefined);
    if (held?.status === 'fulfilled') return held.value;
    const unanswered = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    const [error] = [...unanswered, ...this.failed.map((failure) => failure.error)];
    if (error) throw error;
    return undefined;
  }

  /** What servers have not taken yet, or refused when nobody waited for it. */
  get unsent(): readonly OutboxEntry[] {
    return this.pending?.entries ?? [];
  }

  /** Takes a change back that no server has; `false` when it is being sent just now. */
  async discard(id: string): Promise<boolean> {
    return (await this.openPending()).discard(id);
  }

  /** What to call a project's server in a sentence. */
  hostOf(key: ProjectKey): string {
    const account = this.entries?.find((one) => keyText(one.key) === keyText(key))?.account;
    return account?.baseUrl === undefined ? (account?.label ?? key.accountId) : new URL(account.baseUrl).host;
  }

  /** Shows what a person wants at once, and has it sent now, or, safe on disk, as soon as the server can be reached. */
  async submit(key: ProjectKey, intents: readonly Intent[]): Promise<Submission> {
    const pending = this.pending ?? (await this.openPending());
    const entry = this.entries?.find((one) => keyText(one.key) === keyText(key));
    const account = entry?.account ?? (await this.accounts.find(key.accountId));
    if (!account) throw new TrackerError('unauthorized', vscode.l10n.t('Nobody is signed in to this server.'));
    return pending.submit(key, replicaAccount(account), intents);
  }

  /** Shows `guess` at once, sends after what was asked before, and takes it back when `send` throws. */
  async change<T>(key: ProjectKey, guess: Guess, send: (tracker: Tracker) => Promise<T>): Promise<T> {
    const { guesses } = this.pending ?? (await this.openPending());
    return guesses.add(key, guess, () => send(this.tracker(key)));
  }

  /** Puts a story as a server has just answered it. */
  put(key: ProjectKey, story: Story): void {
    this.inBackground(this.copies.put(key, story));
    this.changed.fire(key);
  }

  /** Reads one story again, for what an upload or a commit did to it. */
  async refreshStory(key: ProjectKey, storyId: number): Promise<Story> {
    const story = await this.tracker(key).getStory({ projectId: key.projectId, storyId });
    this.put(key, story);
    return story;
  }

  /** Reads projects and loaded backlogs again. What is shown stays until the answers are there. */
  async refresh(options: Pick<RefreshOptions, 'isAskedFor'> = {}): Promise<void> {
    await this.loadProjects();
    const hasFailed = (accountId: string) => this.failed.some(({ account }) => account.id === accountId);
    const keys = (this.entries ?? [])
      .map(({ key }) => key)
      .filter((key) => this.copies.getSome(key) && !hasFailed(key.accountId));
    await Promise.allSettled(keys.map((key) => this.queued(key, () => this.load(key, { ...options, isListed: true }))));
  }

  /**
   * Reads a backlog again after something was written to it; a second call while one is under way waits for a fresh answer
   * of its own.
   */
  reload(key: ProjectKey): Promise<void> {
    return this.queued(key, () => this.load(key, { isWritten: true }));
  }

  /** Takes over a backlog that changed in the replica, where it is shown or was to be. */
  async followProject({ accountId, projectId }: ProjectKey): Promise<void> {
    const key = { accountId, projectId };
    if (!this.copies.getSome(key) && !this.unread.has(keyText(key))) return;
    await this.queued(key, async () => {
      if (await this.copies.follow(key)) this.changed.fire(key);
    });
  }

  /** Takes over what was found out without being asked for; what this window is just asking for will be newer. */
  follow(states: readonly AccountState[]): void {
    if (!this.entries || this.reading || this.accountsChanged) return;
    const isTold = (account: Account) => states.some((state) => state.account.id === account.id);
    const wereAway = new Set(this.failed.map(({ account }) => account.id));
    this.failed = [
      ...this.failed.filter(({ account }) => !isTold(account)),
      ...states.flatMap(({ account, error }) => (error === undefined ? [] : [{ account, error }])),
    ];
    for (const { account, listed, unread } of states) {
      if (listed) this.replaceEntries(account, listed);
      for (const { key } of this.entriesOf(account)) {
        const error = unread.get(key.projectId);
        if (error === undefined) this.unread.delete(keyText(key));
        else this.unread.set(keyText(key), error);
      }
    }
    for (const { account } of this.failed) wereAway.delete(account.id);
    if (wereAway.size > 0) this.inBackground(this.sendWaiting(wereAway));
    this._readAt = Math.max(this._readAt ?? 0, ...states.map(({ readAt }) => readAt ?? 0)) || undefined;
    this.changed.fire(undefined);
  }

  async loadMoreDone(key: ProjectKey): Promise<void> {
    await this.backlog(key);
    await this.queued(key, () => this.copies.readMoreDone(key, DONE_PAGE));
    this.changed.fire(key);
  }

  /** What the replica tells builds on what it told before, so a project's answers are taken in one after the other. */
  private async queued(key: ProjectKey, run: () => Promise<void>): Promise<void> {
    const text = keyText(key);
    const before = this.loading.get(text);
    const next = (before ?? Promise.resolve()).catch(() => undefined).then(run);
    this.loading.set(text, next);
    try {
      await next;
    } finally {
      if (this.loading.get(text) === next) this.loading.delete(text);
    }
  }

  /** What only those need who look at something is read from disk then. */
  private openPending(): Promise<PendingChanges> {
    this.pendingOpening ??= import('./pendingChanges.ts').then(({ PendingChanges }) => {
      this.pending = new PendingChanges({
        outbox: this.accounts.outbox,
        accounts: async () => (await this.accounts.reachable()).map(replicaAccount),
        log: this.log,
        changed: (key) => this.changed.fire(key),
        reload: (key) => this.reload(key),
        isLoaded: (key) => this.copies.getSome(key) !== undefined,
      });
      return this.pending;
    });
    return this.pendingOpening;
  }

  /** Has what waits for the people who are signed in sent, left behind by another window or an earlier start perhaps. */
  async attend(): Promise<void> {
    await (await this.openPending()).attend();
  }

  /** Nothing is asked of servers because of a sign-in before somebody wants to see something. */
  private async followAccounts(): Promise<void> {
    if (!this.entries && !this.reading && !this.painting) return this.changed.fire(undefined);
    this.accountsChanged = true;
    try {
      await this.refresh();
    } catch (thrown) {
      this.log.error(thrown instanceof Error ? thrown : String(thrown));
    }
  }

  dispose(): void {
    this.pending?.dispose();
    this.listening.dispose();
    this.changed.dispose();
  }

  /** Reads the list of projects; a call that was overtaken by a later one waits for that one's answer. */
  private async loadProjects(): Promise<void> {
    const mine: Promise<void> = this.readProjects().then((show) => (this.reading === mine ? show() : this.reading));
    this.reading = mine;
    try {
      await mine;
    } finally {
      if (this.reading === mine) this.reading = undefined;
    }
  }

  private async readProjects(): Promise<() => void> {
    const accounts = await this.accounts.list();
    const answers = await Promise.allSettled(accounts.map((account) => this.projectsOf(account)));
    return () => this.show(accounts, answers);
  }

  private show(accounts: readonly Account[], answers: readonly PromiseSettledResult<readonly ProjectEntry[]>[]): void {
    this.failed = answers.flatMap((answer, index) => {
      const account = accounts[index];
      return account && answer.status === 'rejected' ? [{ account, error: answer.reason }] : [];
    });
    for (const { account, error } of this.failed) this.log.warn(`${account.label}: ${String(error)}`);
    this.entries = answers.flatMap((answer, index) =>
      answer.status === 'fulfilled' ? answer.value : this.entriesOf(accounts[index]),
    );
    this.accountsChanged = false;
    this.copies.keep(this.entries.map(({ key }) => key));
    this.forgetOthers(this.entries);
    this.inBackground(this.attend());
    if (this.failed.length === 0 || this.failed.length < accounts.length) this._readAt = Date.now();
    this.changed.fire(undefined);
  }

  /** Sends what waits only because these accounts' servers could not be reached; they can again. */
  private async sendWaiting(accountIds: ReadonlySet<string>): Promise<void> {
    const waiting = this.unsent.filter(
      ({ state, project, problem }) =>
        state === 'waiting' && problem?.kind !== 'unauthorized' && accountIds.has(project.accountId),
    );
    if (waiting.length > 0) await this.accounts.outbox.retry(waiting.map(({ id }) => id));
  }

  /** An account's projects keep their place among those of the others. */
  private replaceEntries(account: Account, listed: KnownProjects): void {
    const entries = this.entries ?? [];
    const at = entries.findIndex(({ key }) => key.accountId === account.id);
    const others = entries.filter(({ key }) => key.accountId !== account.id);
    this.entries = others.toSpliced(at < 0 ? others.length : at, 0, ...entriesIn(account, listed));
    this.copies.keep(this.entries.map(({ key }) => key));
    this.forgetOthers(this.entries);
  }

  private forgetOthers(entries: readonly ProjectEntry[]): void {
    const kept = new Set(entries.map(({ key }) => keyText(key)));
    for (const text of this.unread.keys()) if (!kept.has(text)) this.unread.delete(text);
  }

  private entriesOf(account: Account | undefined): readonly ProjectEntry[] {
    return (this.entries ?? []).filter(({ key }) => key.accountId === account?.id);
  }

  private async projectsOf(account: Account): Promise<readonly ProjectEntry[]> {
    return entriesIn(account, await this.copies.readProjects(account));
  }

  /** An account that answers is not away any more, whoever noticed it first. */
  private async readMissing(accountId: string): Promise<void> {
    if (!this.failures.some(({ account, error }) => account.id === accountId && isAway(error))) return;
    await this.loadProjects();
    const missing = this.entries?.filter(({ key }) => isAway(this.unread.get(keyText(key)))) ?? [];
    const ofAccount = missing.filter(({ key }) => key.accountId === accountId);
    await Promise.allSettled(ofAccount.map(({ key }) => this.queued(key, () => this.load(key, { isListed: true }))));
  }

  /** Tells of a change only when something is shown otherwise than before. */
  private async load(key: ProjectKey, options: CopyRefresh): Promise<void> {
    const before = this.peekSome(key);
    try {
      const forgetAnswered = this.pending?.beforeReading(key);
      await this.copies.refresh(key, options, () => this.changed.fire(key));
      forgetAnswered?.();
      const wasUnread = this.unread.delete(keyText(key));
      if (!options.isListed && !this.reading) this.inBackground(this.readMissing(key.accountId));
      if (wasUnread || this.peekSome(key) !== before) this.changed.fire(key);
    } catch (thrown) {
      this.unread.set(keyText(key), thrown);
      this.changed.fire(key);
      throw thrown;
    }
  }

  /** Shows the list of projects that the replica has, and asks servers for theirs meanwhile when that is of all accounts. */
  private async paintProjects(): Promise<void> {
    try {
      const accounts = await this.accounts.list();
      const known = await Promise.all(accounts.map((account) => this.copies.knownProjects(account)));
      // Who signed out while the file could not be written, or while nobody was there to do it, is forgotten now.
      if (accounts.length > 0) this.inBackground(this.copies.forgetSignedOut());
      const readAt = known.flatMap((one) => one?.readAt ?? []);
      if (this.entries || this.reading || readAt.length === 0) return;
      this.entries = accounts.flatMap((account, index) => entriesIn(account, known[index]));
      this._readAt = Math.min(...readAt);
      this.inBackground(this.attend());
      if (readAt.length < accounts.length) this.accountsChanged = true;
      else this.inBackground(this.loadProjects());
    } catch (thrown) {
      this.log.warn(`the local copy cannot be read: ${String(thrown)}`);
    } finally {
      this.painting = undefined;
    }
  }

  private async paint(key: ProjectKey): Promise<void> {
    try {
      let isBegun = false;
      await this.copies.paint(key, () => {
        isBegun = true;
        this.changed.fire(key);
      });
      if (isBegun) this.changed.fire(key);
    } catch (thrown) {
      this.log.warn(`the local copy cannot be read: ${String(thrown)}`);
    }
    if (!this.copies.get(key) || this.loading.has(keyText(key))) return;
    this.inBackground(this.queued(key, () => this.load(key, {})));
  }

  /** What fails here is shown by the view, or is of no consequence to what is shown. */
  private inBackground(work: Promise<unknown>): void {
    work.catch((thrown: unknown) => this.log.warn(String(thrown)));
  }

  private async ask(key: ProjectKey, storyId: number): Promise<FoundStory | undefined> {
    try {
      return { key, story: await this.tracker(key).getStory({ projectId: key.projectId, storyId }) };
    } catch (thrown) {
      if (!(thrown instanceof TrackerError) || thrown.kind !== 'notFound') throw thrown;
      this.log.debug(`story ${storyId} is not in project ${key.projectId}`);
      return undefined;
    }
  }
}

function isAway(error: unknown): boolean {
  return error instanceof TrackerError && (error.kind === 'unreachable' || error.kind === 'timeout');
}

function entriesIn(account: Account, known: KnownProjects | undefined): readonly ProjectEntry[] {
  const projects = known?.projects ?? [];
  return projects.map((project) => ({ account, project, key: { accountId: account.id, projectId: project.id } }));
}
