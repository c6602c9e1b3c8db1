import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { ActiveStories } from '../core/activeStory/storyBinding.ts';
import { TrackerError } from '../core/errors.ts';
import type { IntentRequests } from '../core/intents/intentRequest.ts';
import type { Log } from '../core/log.ts';
import type { Outbox } from '../core/outbox/outbox.ts';
import { outboxMethods } from '../core/outbox/outboxMethods.ts';
import type { CommitHooks } from '../core/ports/commitHooks.ts';
import type { CheckProgress, CheckStep, Connection } from '../core/ports/connection.ts';
import { downloadMethods } from '../core/ports/downloadMethods.ts';
import type { CommitFinder, History } from '../core/ports/history.ts';
import { historyMethods } from '../core/ports/historyMethods.ts';
import type { Downloads, OutgoingFiles, Patches } from '../core/ports/outgoingFiles.ts';
import { outgoingFilesMethods } from '../core/ports/outgoingFilesMethods.ts';
import type { Tracker } from '../core/ports/tracker.ts';
import { trackerMethods } from '../core/ports/trackerMethods.ts';
import type { Polling } from '../core/replica/polling.ts';
import type { ActivityLog, LinkedCommits, Replica, Sync } from '../core/replica/replica.ts';
import { activityLogMethods, replicaMethods, syncMethods } from '../core/replica/replicaMethods.ts';
import type { Peer } from '../remote/peer.ts';
import { remoteOf } from '../remote/remoteOf.ts';
import type { Access } from './access.ts';
import { networkSettings } from './networkSettings.ts';
import { tokenHeader } from './settings.ts';

const STOP_MS = 300;

interface Running {
  readonly worker: Worker;
  readonly peer: Peer;
  /** The connection that each account's tracker over there was opened with, as text, and when that is done. */
  readonly opened: Map<string, { readonly wanted: string; readonly done: Promise<unknown> }>;
}

/** What the worker offers for `checkConnection`. */
interface ConnectionWalk {
  check(connection: Connection, isSignedIn: boolean, progress: CheckProgress): Promise<readonly CheckStep[]>;
}

/**
 * The worker thread where HTTP, XML and Git happen, so that the extension host's event loop is never held. Started by
 * the first call, and again after it ended.
 */
export class Engine implements vscode.Disposable {
  private readonly script: string;
  private readonly log: Log;
  private readonly replicaPath: string | undefined;
  private readonly access = new Map<string, () => Promise<Access>>();
  private running: Promise<Running> | undefined;
  private git: string | undefined;

  /** History of repositories; ask only in a trusted workspace. */
  readonly history: History = remoteOf<History>(historyMethods, (method, args) => this.ask('history', method, args));

  /** What is known of servers' projects without asking them. */
  readonly replica: Replica = remoteOf<Replica>(replicaMethods, (method, args) => this.ask('replica', method, args));

  /** What happened in the projects, as far as it is known without asking a server. */
  readonly activityLog: ActivityLog = remoteOf<ActivityLog>(activityLogMethods, (method, args) =>
    this.ask('activityLog', method, args),
  );

  private readonly activitiesChanged = new vscode.EventEmitter<void>();

  /** Keeps the replica up to date, in one window for all. */
  readonly polling: Polling = remoteOf<Polling>(['run', 'tell'], (method, args) => this.ask('polling', method, args));

  /** Activities came or were looked at, in this window or another. */
  readonly onDidChangeActivities = this.activitiesChanged.event;

  /** What no server has taken yet. */
  readonly outbox: Outbox = remoteOf<Outbox>(outboxMethods, (method, args) => this.ask('outbox', method, args));

  /** What was committed since a repository was last looked at; ask only in a trusted workspace. */
  readonly commitFinder: CommitFinder = remoteOf<CommitFinder>(['find', 'settle'], (method, args) =>
    this.ask('commitFinder', method, args),
  );

  /** Hooks of repositories; ask only in a trusted workspace. */
  readonly commitHooks: CommitHooks = remoteOf<CommitHooks>(['place', 'install', 'remove'], (method, args) =>
    this.ask('commitHooks', method, args),
  );

  /** A repository's changes as a file; ask only in a trusted workspace. */
  readonly patches: Patches = remoteOf<Patches>(['patch', 'discard'], (method, args) =>
    this.ask('patches', method, args),
  );

  /** What is done with files before they are sent. */
  readonly outgoingFiles: OutgoingFiles = remoteOf<OutgoingFiles>(outgoingFilesMethods, (method, args) =>
    this.ask('outgoingFiles', method, args),
  );

  /** What temporary addresses lead to, over the same proxies and certificates as the servers. */
  readonly downloads: Downloads = remoteOf<Downloads>(downloadMethods, (method, args) =>
    this.ask('downloads', method, [networkSettings(), ...args]),
  );

  /** What would be sent, before it is. */
  readonly intentRequests: IntentRequests = remoteOf<IntentRequests>(['requestFor'], (method, args) =>
    this.ask('intentRequests', method, args),
  );

  /** The commits that were linked on this machine. */
  readonly linkedCommits: LinkedCommits = remoteOf<LinkedCommits>(['linked'], (method, args) =>
    this.ask('linkedCommits', method, args),
  );

  /** The stories that are worked on, by repository. */
  readonly activeStories: ActiveStories = remoteOf<ActiveStories>(['get', 'set'], (method, args) =>
    this.ask('activeStories', method, args),
  );

  /** `replicaPath` is where the replica is kept; without it, nothing is there again after a restart. */
  constructor(script: string, log: Log, replicaPath?: string) {
    this.script = script;
    this.log = log;
    this.replicaPath = replicaPath;
  }

  tracker(accountId: string, access: () => Promise<Access>): Tracker {
    this.access.set(accountId, access);
    return remoteOf<Tracker>(trackerMethods, async (method, args) => {
      const peer = await this.open(accountId);
      return peer.call(`tracker:${accountId}`, method, args);
    });
  }

  /** Brings the replica up to what an account's server says. */
  sync(accountId: string, access: () => Promise<Access>): Sync {
    this.access.set(accountId, access);
    return remoteOf<Sync>(syncMethods, async (method, args) => {
      const peer = await this.open(accountId);
      return peer.call('sync', method, args);
    });
  }

  /** A tracker for an address and token that are not stored yet: to try them before an account is made. */
  async trial<T>(access: Access, use: (tracker: Tracker) => Promise<T>): Promise<T> {
    const accountId = `trial:${crypto.randomUUID()}`;
    try {
      return await use(this.tracker(accountId, async () => access));
    } finally {
      this.access.delete(accountId);
      const running = await this.running;
      await running?.peer.call('trackers', 'close', [accountId]);
    }
  }

  /** Walks from the address to the projects; without a token, as far as one gets without. */
  async checkConnection(
    { baseUrl, token }: Pick<Access, 'baseUrl'> & Partial<Access>,
    progress: CheckProgress,
  ): Promise<readonly CheckStep[]> {
    const accountId = `check:${crypto.randomUUID()}`;
    this.access.set(accountId, async () => ({ baseUrl, token: token ?? '' }));
    const walk = remoteOf<ConnectionWalk>(['check'], (method, args) => this.ask('connections', method, args));
    try {
      return await walk.check(connectionTo(accountId, baseUrl), token !== undefined, progress);
    } finally {
      this.access.delete(accountId);
    }
  }

  /** Runs this as Git from now on; before, the one of the PATH. */
  async useGit(program: string): Promise<void> {
    if (this.git === program) return;
    this.git = program;
    const running = await this.running;
    await running?.peer.call('git', 'use', [program]);
  }

  tellActivitiesChanged(): void {
    this.activitiesChanged.fire();
  }

  async dispose(): Promise<void> {
    const starting = this.running;
    this.running = undefined;
    const running = await starting;
    // Other windows need not wait until this one is taken to have died.
    const left = running?.peer.call('polling', 'stop', []).catch(() => undefined);
    await Promise.race([left, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
    running?.peer.close(new TrackerError('cancelled', vscode.l10n.t('Story Tracker is closing.')));
    await running?.worker.terminate();
  }

  private async open(accountId: string): Promise<Peer> {
    const { baseUrl } = await this.accessOf(accountId);
    const { peer, opened } = await this.start();
    const connection = connectionTo(accountId, baseUrl);
    const wanted = JSON.stringify(connection);
    if (opened.get(accountId)?.wanted !== wanted) {
      const done = peer.call('trackers', 'open', [connection]).catch((thrown: unknown) => {
        opened.delete(accountId);
        throw thrown;
      });
      opened.set(accountId, { wanted, done });
    }
    await opened.get(accountId)?.done;
    return peer;
  }

  /** The token, for exactly the address it belongs to. */
  private async tokenFor(accountId: string, baseUrl: string): Promise<string> {
    const access = await this.accessOf(accountId);
    if (access.baseUrl === baseUrl) return access.token;
    throw new TrackerError('unreachable', vscode.l10n.t('The server has moved to another address. Try again.'));
  }

  private accessOf(accountId: string): Promise<Access> {
    const access = this.access.get(accountId);
    if (!access) throw new TrackerError('unauthorized', vscode.l10n.t('Nobody is signed in to this server.'));
    return access();
  }

  private async ask(target: string, method: string, args: readonly unknown[]): Promise<unknown> {
    const { peer } = await this.start();
    return peer.call(target, method, args);
  }

  private start(): Promise<Running> {
    this.running ??= this.begin().catch((thrown: unknown) => {
      this.running = undefined;
      throw thrown;
    });
    return this.running;
  }

  private async begin(): Promise<Running> {
    const { Peer } = await import('../remote/peer.ts');
    const mine = this.running;
    const worker = new Worker(this.script, { stdin: false, workerData: { replicaPath: this.replicaPath } });
    const peer = new Peer(worker);
    const running: Running = { worker, peer, opened: new Map() };
    peer.expose('tokens', {
      token: (accountId: string, baseUrl: string) => this.tokenFor(accountId, baseUrl),
    });
    peer.expose('accounts', {
      open: async (accountId: string) => {
        await this.open(accountId);
      },
    });
    peer.expose('log', this.log);
    // What is called after it runs with it.
    if (this.git !== undefined) void peer.call('git', 'use', [this.git]).catch(() => undefined);
    worker.on('error', (error) => this.log.error(error));
    worker.on('exit', () => {
      if (this.running === mine) this.running = undefined;
      peer.close(new TrackerError('unreachable', vscode.l10n.t('The connection was interrupted. Try again.')));
    });
    return running;
  }
}

function connectionTo(accountId: string, baseUrl: string): Connection {
  return { accountId, baseUrl, tokenHeader: tokenHeader(), network: networkSettings() };
}
