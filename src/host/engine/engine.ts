import * as vscode from 'vscode';
import type { ActiveStories } from '../../core/activeStory/storyBinding.ts';
import type { IntentRequests } from '../../core/intents/intent.ts';
import type { Log } from '../../core/log.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type { Access, CheckProgress, CheckStep, Connection } from '../../core/ports/connection.ts';
import type { BranchFacts, CommitFinder, CommitHooks, History } from '../../core/ports/git.ts';
import type { Downloads, OutgoingFiles, Patches } from '../../core/ports/outgoingFiles.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { Polling } from '../../core/replica/polling.ts';
import type { ActivityLog, LinkedCommits, Replica, Sync } from '../../core/replica/replica.ts';
import { connect, remoteService, type WorkerServices } from '../../remote/services.ts';
import type { ThreadNeeds, WorkerThread } from './workerThread.ts';

/**
 * The worker thread where HTTP, XML and Git happen, so that the extension host's event loop is never held. What starts it is
 * read from disk by the first call.
 */
export class Engine implements vscode.Disposable {
  private readonly needs: ThreadNeeds;
  private readonly access = new Map<string, () => Promise<Access>>();
  private loading: Promise<WorkerThread> | undefined;
  private git: string | undefined;

  private readonly services = connect<WorkerServices>(async (service, method, args) =>
    (await this.thread()).call(service, method, args),
  );

  /** History of repositories; ask only in a trusted workspace. */
  readonly history: History = this.services.history;

  /** How branches of repositories stand; ask only in a trusted workspace. */
  readonly branchFacts: BranchFacts = this.services.branchFacts;

  /** What is known of servers' projects without asking them. */
  readonly replica: Replica = this.services.replica;

  /** What happened in the projects, as far as it is known without asking a server. */
  readonly activityLog: ActivityLog = this.services.activityLog;

  private readonly activitiesChanged = new vscode.EventEmitter<void>();

  /** Keeps the replica up to date, in one window for all. */
  readonly polling: Polling = this.services.polling;

  /** Activities came or were looked at, in this window or another. */
  readonly onDidChangeActivities = this.activitiesChanged.event;

  /** What no server has taken yet. */
  readonly outbox: Outbox = this.services.outbox;

  /** What was committed since a repository was last looked at; ask only in a trusted workspace. */
  readonly commitFinder: CommitFinder = this.services.commitFinder;

  /** Hooks of repositories; ask only in a trusted workspace. */
  readonly commitHooks: CommitHooks = this.services.commitHooks;

  /** A repository's changes as a file; ask only in a trusted workspace. */
  readonly patches: Patches = this.services.patches;

  /** What is done with files before they are sent. */
  readonly outgoingFiles: OutgoingFiles = this.services.outgoingFiles;

  /** What temporary addresses lead to, over the same proxies and certificates as the servers. */
  readonly downloads: Downloads = {
    beginning: async (...args) => this.services.downloads.beginning(await (await this.thread()).network(), ...args),
    save: async (...args) => this.services.downloads.save(await (await this.thread()).network(), ...args),
  };

  /** What would be sent, before it is. */
  readonly intentRequests: IntentRequests = this.services.intentRequests;

  /** The commits that were linked on this machine. */
  readonly linkedCommits: LinkedCommits = this.services.linkedCommits;

  /** The stories that are worked on, by repository. */
  readonly activeStories: ActiveStories = this.services.activeStories;

  /**
   * `replicaPath` is where the replica is kept; without it, nothing is there again after a restart. `secrets` have the passphrases
   * of client certificates.
   */
  constructor(script: string, log: Log, replicaPath?: string, secrets?: vscode.SecretStorage) {
    this.needs = { script, log, replicaPath, secrets, access: this.access, git: () => this.git };
  }

  tracker(accountId: string, access: () => Promise<Access>): Tracker {
    this.access.set(accountId, access);
    return remoteService<Tracker>(async (method, args) => (await this.thread()).askTracker(accountId, method, args));
  }

  /** Brings the replica up to what an account's server says. */
  sync(accountId: string, access: () => Promise<Access>): Sync {
    this.access.set(accountId, access);
    return remoteService<Sync>(async (method, args) => (await this.thread()).askSync(accountId, method, args));
  }

  /** A tracker for an address and token that are not stored yet: to try them before an account is made. */
  async trial<T>(access: Access, use: (tracker: Tracker) => Promise<T>): Promise<T> {
    const accountId = `trial:${crypto.randomUUID()}`;
    try {
      return await use(this.tracker(accountId, async () => access));
    } finally {
      this.access.delete(accountId);
      await (await this.loading)?.close(accountId);
    }
  }

  /** Walks from the address to the projects; without a token, as far as one gets without. */
  async checkConnection(
    { baseUrl, token }: Pick<Access, 'baseUrl'> & Partial<Access>,
    progress: CheckProgress,
  ): Promise<readonly CheckStep[]> {
    return this.withConnection({ baseUrl, token: token ?? '' }, (connection) =>
      this.services.connections.check(connection, token !== undefined, progress),
    );
  }

  /** Whether agents can speak the Model Context Protocol with a server, which is asked without a token. */
  async hasAgentDoor(baseUrl: string): Promise<boolean> {
    return this.withConnection({ baseUrl, token: '' }, (connection) =>
      this.services.connections.hasAgentDoor(connection),
    );
  }

  /** A connection that is no account's. */
  private async withConnection<T>(access: Access, use: (connection: Connection) => Promise<T>): Promise<T> {
    const accountId = `check:${crypto.randomUUID()}`;
    this.access.set(accountId, async () => access);
    try {
      return await use(await (await this.thread()).connectionTo(accountId, access.baseUrl));
    } finally {
      this.access.delete(accountId);
    }
  }

  /**
   * Reads the client certificate for a server, with another passphrase than the one that is kept perhaps.
   * @throws TrackerError `input` where the files, or the passphrase, are of no use.
   */
  async tryCertificate(baseUrl: string, passphrase?: string): Promise<void> {
    await (await this.thread()).tryCertificate(baseUrl, passphrase);
  }

  /** Runs this as Git from now on; before, the one of the PATH. */
  async useGit(program: string): Promise<void> {
    if (this.git === program) return;
    this.git = program;
    await (await this.loading)?.useGit(program);
  }

  tellActivitiesChanged(): void {
    this.activitiesChanged.fire();
  }

  async dispose(): Promise<void> {
    await (await this.loading)?.dispose();
  }

  private thread(): Promise<WorkerThread> {
    this.loading ??= import('./workerThread.ts').then((module) => new module.WorkerThread(this.needs));
    return this.loading;
  }
}
