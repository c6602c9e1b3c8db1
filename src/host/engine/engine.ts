import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { ActiveStories } from '../../core/activeStory/storyBinding.ts';
import { TrackerError } from '../../core/errors.ts';
import type { IntentRequests } from '../../core/intents/intent.ts';
import type { Log } from '../../core/log.ts';
import type { Outbox } from '../../core/outbox/outbox.ts';
import type {
  CheckProgress,
  CheckStep,
  ClientCertificate,
  Connection,
  NetworkSettings,
} from '../../core/ports/connection.ts';
import type { CommitFinder, CommitHooks, History } from '../../core/ports/git.ts';
import type { Downloads, OutgoingFiles, Patches } from '../../core/ports/outgoingFiles.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { Polling } from '../../core/replica/polling.ts';
import type { ActivityLog, LinkedCommits, Replica, Sync } from '../../core/replica/replica.ts';
import type { Peer } from '../../remote/peer.ts';
import {
  connect,
  type HostServices,
  type RemoteServices,
  remoteService,
  serve,
  trackerName,
  type WorkerServices,
} from '../../remote/services.ts';
import { clientCertificates, isProxyLeftToSystem, networkSettings, tokenHeader } from '../shell/settings.ts';
import type { ClientCertificates } from './clientCertificates.ts';
import type { SystemProxies } from './systemProxies.ts';

/** How to reach an account right now. */
export interface Access {
  readonly baseUrl: string;
  readonly token: string;
}

const STOP_MS = 300;

interface Running {
  readonly worker: Worker;
  readonly peer: Peer;
  /** The connection that each account's tracker over there was opened with, as text, and when that is done. */
  readonly opened: Map<string, { readonly wanted: string; readonly done: Promise<unknown> }>;
}

/**
 * The worker thread where HTTP, XML and Git happen, so that the extension host's event loop is never held. Started by
 * the first call, and again after it ended.
 */
export class Engine implements vscode.Disposable {
  private readonly script: string;
  private readonly log: Log;
  private readonly replicaPath: string | undefined;
  private readonly secrets: vscode.SecretStorage | undefined;
  private readonly access = new Map<string, () => Promise<Access>>();
  private running: Promise<Running> | undefined;
  private git: string | undefined;
  private proxies: Promise<SystemProxies> | undefined;
  private certificates: Promise<ClientCertificates> | undefined;

  private readonly services = connect<WorkerServices>(async (service, method, args) => {
    const { peer } = await this.start();
    return peer.call(service, method, args);
  });

  /** History of repositories; ask only in a trusted workspace. */
  readonly history: History = this.services.history;

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
    beginning: async (...args) => this.services.downloads.beginning(await this.network(), ...args),
    save: async (...args) => this.services.downloads.save(await this.network(), ...args),
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
    this.script = script;
    this.log = log;
    this.replicaPath = replicaPath;
    this.secrets = secrets;
  }

  tracker(accountId: string, access: () => Promise<Access>): Tracker {
    this.access.set(accountId, access);
    return remoteService<Tracker>(async (method, args) => {
      const peer = await this.open(accountId);
      return peer.call(trackerName(accountId), method, args);
    });
  }

  /** Brings the replica up to what an account's server says. */
  sync(accountId: string, access: () => Promise<Access>): Sync {
    this.access.set(accountId, access);
    return remoteService<Sync>(async (method, args) => {
      const peer = await this.open(accountId);
      return peer.call('sync' satisfies keyof WorkerServices, method, args);
    });
  }

  /** A tracker for an address and token that are not stored yet: to try them before an account is made. */
  async trial<T>(access: Access, use: (tracker: Tracker) => Promise<T>): Promise<T> {
    const accountId = `trial:${crypto.randomUUID()}`;
    try {
      return await use(this.tracker(accountId, async () => access));
    } finally {
      this.access.delete(accountId);
      if (await this.running) await this.services.trackers.close(accountId);
    }
  }

  /** Walks from the address to the projects; without a token, as far as one gets without. */
  async checkConnection(
    { baseUrl, token }: Pick<Access, 'baseUrl'> & Partial<Access>,
    progress: CheckProgress,
  ): Promise<readonly CheckStep[]> {
    const accountId = `check:${crypto.randomUUID()}`;
    this.access.set(accountId, async () => ({ baseUrl, token: token ?? '' }));
    try {
      const connection = await this.connectionTo(accountId, baseUrl);
      return await this.services.connections.check(connection, token !== undefined, progress);
    } finally {
      this.access.delete(accountId);
    }
  }

  /**
   * Reads the client certificate for a server, with another passphrase than the one that is kept perhaps.
   * @throws TrackerError `input` where the files, or the passphrase, are of no use.
   */
  async tryCertificate(baseUrl: string, passphrase?: string): Promise<void> {
    const { origin } = new URL(baseUrl);
    const certificate = (await this.clientCertificates()).find((one) => one.origin === origin);
    if (!certificate) return;
    await this.services.connections.tryCertificate({
      ...certificate,
      ...(passphrase !== undefined && { passphrase }),
    });
    if (passphrase !== undefined) await (await this.certificates)?.remember(origin, passphrase);
  }

  /** Runs this as Git from now on; before, the one of the PATH. */
  async useGit(program: string): Promise<void> {
    if (this.git === program) return;
    this.git = program;
    if (await this.running) await this.services.git.use(program);
  }

  tellActivitiesChanged(): void {
    this.activitiesChanged.fire();
  }

  async dispose(): Promise<void> {
    const starting = this.running;
    this.running = undefined;
    const running = await starting;
    // Other windows need not wait until this one is taken to have died.
    const left =
      running &&
      connectTo(running.peer)
        .polling.stop()
        .catch(() => undefined);
    await Promise.race([left, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
    running?.peer.close(new TrackerError('cancelled', vscode.l10n.t('Story Tracker is closing.')));
    await running?.worker.terminate();
    for (const started of [this.proxies, this.certificates]) (await started)?.dispose();
  }

  private async open(accountId: string): Promise<Peer> {
    const { baseUrl } = await this.accessOf(accountId);
    const connection = await this.connectionTo(accountId, baseUrl);
    const { peer, opened } = await this.start();
    const wanted = JSON.stringify(connection);
    if (opened.get(accountId)?.wanted !== wanted) {
      const done = connectTo(peer)
        .trackers.open(connection)
        .catch((thrown: unknown) => {
          opened.delete(accountId);
          throw thrown;
        });
      opened.set(accountId, { wanted, done });
    }
    await opened.get(accountId)?.done;
    return peer;
  }

  private async connectionTo(accountId: string, baseUrl: string): Promise<Connection> {
    const systemProxies = await this.systemProxies(baseUrl);
    return { accountId, baseUrl, tokenHeader: tokenHeader(), network: { ...(await this.network()), systemProxies } };
  }

  private async network(): Promise<NetworkSettings> {
    return { ...networkSettings(), clientCertificates: await this.clientCertificates() };
  }

  private async clientCertificates(): Promise<readonly ClientCertificate[]> {
    const { secrets } = this;
    if (!secrets || clientCertificates().length === 0) return [];
    this.certificates ??= import('./clientCertificates.ts').then(({ ClientCertificates: Found }) => new Found(secrets));
    return (await this.certificates).all();
  }

  /** What VS Code finds out about the way to a server where nobody has said how to reach it. */
  private async systemProxies(url: string): Promise<string> {
    if (!isProxyLeftToSystem(networkSettings())) return '';
    this.proxies ??= import('./systemProxies.ts').then(({ SystemProxies: Found }) => new Found(this.log));
    return (await this.proxies).of(url);
  }

  /** The token, for exactly the address it belongs to. */
  private async tokenFor(accountId: string, baseUrl: string): Promise<string> {
    const access = await this.accessOf(accountId);
    if (access.baseUrl === baseUrl) return access.token;
    throw new TrackerError('unreachable', vscode.l10n.t('The server has moved to another address. Try again.'));
  }

  private accessOf(accountId: string): Promise<Access> {
    const access = this.access.get(accountId);
    if (!access) throw new TrackerError('unauthorized', vscode.l10n.t('You are not signed in to this server.'));
    return access();
  }

  private start(): Promise<Running> {
    this.running ??= this.begin().catch((thrown: unknown) => {
      this.running = undefined;
      throw thrown;
    });
    return this.running;
  }

  private async begin(): Promise<Running> {
    const { Peer } = await import('../../remote/peer.ts');
    const mine = this.running;
    const worker = new Worker(this.script, { stdin: false, workerData: { replicaPath: this.replicaPath } });
    const peer = new Peer(worker);
    const running: Running = { worker, peer, opened: new Map() };
    serve<HostServices>(peer, {
      tokens: { token: (accountId, baseUrl) => this.tokenFor(accountId, baseUrl) },
      accounts: {
        open: async (accountId) => {
          await this.open(accountId);
        },
      },
      proxies: {
        system: (url) => this.systemProxies(url),
        negotiate: async (proxyHost) => (await import('./kerberos.ts')).negotiate(proxyHost, this.log),
      },
      log: this.log,
    });
    // What is called after it runs with it.
    if (this.git !== undefined)
      void connectTo(peer)
        .git.use(this.git)
        .catch(() => undefined);
    worker.on('error', (error) => this.log.error(error));
    worker.on('exit', () => {
      if (this.running === mine) this.running = undefined;
      peer.close(new TrackerError('unreachable', vscode.l10n.t('The connection was interrupted. Try again.')));
    });
    return running;
  }
}

function connectTo(peer: Peer): RemoteServices<WorkerServices> {
  return connect((service, method, args) => peer.call(service, method, args));
}
