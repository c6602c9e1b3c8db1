import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Access, ClientCertificate, Connection, NetworkSettings } from '../../core/ports/connection.ts';
import { Peer } from '../../remote/peer.ts';
import {
  connect,
  type HostServices,
  type RemoteServices,
  serve,
  trackerName,
  type WorkerServices,
} from '../../remote/services.ts';
import {
  ClientCertificates,
  clientCertificates,
  isProxyLeftToSystem,
  networkSettings,
  SystemProxies,
  tokenHeader,
} from './networkSettings.ts';
import { negotiate } from './ownModules.ts';

export interface ThreadNeeds {
  /** The program that it runs. */
  readonly script: string;
  readonly log: Log;
  /** Where the replica is kept; without it, nothing is there again after a restart. */
  readonly replicaPath: string | undefined;
  /** They have the passphrases of client certificates. */
  readonly secrets: vscode.SecretStorage | undefined;
  /** How to reach each account that is asked for something. */
  readonly access: ReadonlyMap<string, () => Promise<Access>>;
  /** What to run as Git, instead of the one of the PATH. */
  git(): string | undefined;
}

const STOP_MS = 300;

interface Running {
  readonly worker: Worker;
  readonly peer: Peer;
  /** What the thread does. */
  readonly services: RemoteServices<WorkerServices>;
  /** The connection that each account's tracker over there was opened with, as text, and when that is done. */
  readonly opened: Map<string, { readonly wanted: string; readonly done: Promise<unknown> }>;
}

/** Starts the worker thread with the first call, and again after it ended; tells it how to reach servers. */
export class WorkerThread {
  private readonly needs: ThreadNeeds;
  private running: Running | undefined;
  private proxies: SystemProxies | undefined;
  private certificates: ClientCertificates | undefined;

  constructor(needs: ThreadNeeds) {
    this.needs = needs;
  }

  async call(service: string, method: string, args: readonly unknown[]): Promise<unknown> {
    return this.start().peer.call(service, method, args);
  }

  /** Asks the tracker of an account. */
  async askTracker(accountId: string, method: string, args: readonly unknown[]): Promise<unknown> {
    const peer = await this.open(accountId);
    return peer.call(trackerName(accountId), method, args);
  }

  /** Asks what brings the replica up to what an account's server says. */
  async askSync(accountId: string, method: string, args: readonly unknown[]): Promise<unknown> {
    const peer = await this.open(accountId);
    return peer.call('sync' satisfies keyof WorkerServices, method, args);
  }

  /** Closes the tracker of an account. */
  async close(accountId: string): Promise<void> {
    await this.running?.services.trackers.close(accountId);
  }

  /** @throws TrackerError `input` where the files, or the passphrase, are of no use. */
  async tryCertificate(baseUrl: string, passphrase?: string): Promise<void> {
    const { origin } = new URL(baseUrl);
    const certificate = (await this.clientCertificates()).find((one) => one.origin === origin);
    if (!certificate) return;
    const tried = { ...certificate, ...(passphrase !== undefined && { passphrase }) };
    await this.start().services.connections.tryCertificate(tried);
    if (passphrase !== undefined) await this.certificates?.remember(origin, passphrase);
  }

  /** Runs this as Git from now on; a thread that is started later asks for it. */
  async useGit(program: string): Promise<void> {
    await this.running?.services.git.use(program);
  }

  async connectionTo(accountId: string, baseUrl: string): Promise<Connection> {
    const systemProxies = await this.systemProxies(baseUrl);
    return { accountId, baseUrl, tokenHeader: tokenHeader(), network: { ...(await this.network()), systemProxies } };
  }

  /** How this machine reaches servers. */
  async network(): Promise<NetworkSettings> {
    return { ...networkSettings(), clientCertificates: await this.clientCertificates() };
  }

  async dispose(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    // Other windows need not wait until this one is taken to have died.
    const left = running?.services.polling.stop().catch(() => undefined);
    await Promise.race([left, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
    running?.peer.close(new TrackerError('cancelled', vscode.l10n.t('Story Tracker is closing.')));
    await running?.worker.terminate();
    this.proxies?.dispose();
    this.certificates?.dispose();
  }

  private async open(accountId: string): Promise<Peer> {
    const { baseUrl } = await this.accessOf(accountId);
    const connection = await this.connectionTo(accountId, baseUrl);
    const { peer, services, opened } = this.start();
    const wanted = JSON.stringify(connection);
    if (opened.get(accountId)?.wanted !== wanted) {
      const done = services.trackers.open(connection).catch((thrown: unknown) => {
        opened.delete(accountId);
        throw thrown;
      });
      opened.set(accountId, { wanted, done });
    }
    await opened.get(accountId)?.done;
    return peer;
  }

  private async clientCertificates(): Promise<readonly ClientCertificate[]> {
    const { secrets } = this.needs;
    if (!secrets || clientCertificates().length === 0) return [];
    this.certificates ??= new ClientCertificates(secrets);
    return this.certificates.all();
  }

  /** What VS Code finds out about the way to a server where nobody has said how to reach it. */
  private async systemProxies(url: string): Promise<string> {
    if (!isProxyLeftToSystem(networkSettings())) return '';
    this.proxies ??= new SystemProxies(this.needs.log);
    return this.proxies.of(url);
  }

  /** The token, for exactly the address it belongs to. */
  private async tokenFor(accountId: string, baseUrl: string): Promise<string> {
    const access = await this.accessOf(accountId);
    if (access.baseUrl === baseUrl) return access.token;
    throw new TrackerError('unreachable', vscode.l10n.t('The server has moved to another address. Try again.'));
  }

  private accessOf(accountId: string): Promise<Access> {
    const access = this.needs.access.get(accountId);
    if (!access) throw new TrackerError('unauthorized', vscode.l10n.t('You are not signed in to this server.'));
    return access();
  }

  private start(): Running {
    this.running ??= this.begin();
    return this.running;
  }

  private begin(): Running {
    const { log, replicaPath, script } = this.needs;
    const worker = new Worker(script, { stdin: false, workerData: { replicaPath, translations: vscode.l10n.bundle } });
    const peer = new Peer(worker);
    const services = connect<WorkerServices>((service, method, args) => peer.call(service, method, args));
    const running: Running = { worker, peer, services, opened: new Map() };
    serve<HostServices>(peer, {
      tokens: { token: (accountId, baseUrl) => this.tokenFor(accountId, baseUrl) },
      accounts: {
        open: async (accountId) => {
          await this.open(accountId);
        },
      },
      proxies: {
        system: (url) => this.systemProxies(url),
        negotiate: (proxyHost) => negotiate(proxyHost, log),
      },
      log,
    });
    const git = this.needs.git();
    // What is called after it runs with it.
    if (git !== undefined) void services.git.use(git).catch(() => undefined);
    worker.on('error', (error) => log.error(error));
    worker.on('exit', () => {
      if (this.running === running) this.running = undefined;
      peer.close(new TrackerError('unreachable', vscode.l10n.t('The connection was interrupted. Try again.')));
    });
    return running;
  }
}
