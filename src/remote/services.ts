import type { ActiveStories } from '../core/activeStory/storyBinding.ts';
import type { IntentRequests } from '../core/intents/intent.ts';
import type { Log } from '../core/log.ts';
import type { Outbox } from '../core/outbox/outbox.ts';
import type {
  CheckProgress,
  CheckStep,
  ClientCertificate,
  Connection,
  NetworkSettings,
} from '../core/ports/connection.ts';
import type { BranchFacts, CommitFinder, CommitHooks, History } from '../core/ports/git.ts';
import type { Downloads, OutgoingFiles, Patches } from '../core/ports/outgoingFiles.ts';
import type { Polling } from '../core/replica/polling.ts';
import type { ActivityLog, LinkedCommits, Replica, Sync } from '../core/replica/replica.ts';

/** What the worker thread does for its window, by the names under which it is asked. The tracker of each account is asked by its own. */
export interface WorkerServices {
  readonly trackers: {
    /** Opens the tracker of an account, or opens it anew with another connection. */
    open(connection: Connection): Promise<void>;
    close(accountId: string): Promise<void>;
  };
  readonly connections: {
    /** Reads the files of a client certificate. Throws `TrackerError` `input` where they, or the passphrase, are of no use. */
    tryCertificate(certificate: ClientCertificate): Promise<void>;
    /** Whether agents can speak the Model Context Protocol with the server. */
    hasAgentDoor(connection: Connection): Promise<boolean>;
    /** Walks from the address to the projects; without a token, as far as one gets without. */
    check(connection: Connection, isSignedIn: boolean, progress: CheckProgress): Promise<readonly CheckStep[]>;
  };
  readonly git: {
    /** Runs this as Git from now on; before, the one of the PATH. */
    use(program: string): Promise<void>;
  };
  readonly intentRequests: IntentRequests;
  readonly history: History;
  readonly branchFacts: BranchFacts;
  readonly commitHooks: CommitHooks;
  readonly commitFinder: CommitFinder;
  readonly patches: Patches;
  readonly outgoingFiles: OutgoingFiles;
  readonly downloads: { readonly [K in keyof Downloads]: OverNetwork<Downloads[K]> };
  readonly replica: Replica;
  readonly activityLog: ActivityLog;
  readonly sync: Sync;
  readonly linkedCommits: LinkedCommits;
  readonly activeStories: ActiveStories;
  readonly outbox: Outbox;
  readonly polling: Polling & {
    /** Other windows need not wait until this one is taken to have died. */
    stop(): Promise<void>;
  };
}

/** A call that is also told how this machine reaches servers. */
type OverNetwork<Call> = Call extends (...args: infer Args) => infer Result
  ? (network: NetworkSettings, ...args: Args) => Result
  : never;

/** What a window does for its worker thread. */
export interface HostServices {
  readonly tokens: {
    /** The token, for exactly the address it belongs to. */
    token(accountId: string, baseUrl: string): Promise<string>;
  };
  readonly accounts: {
    /** Has the account's tracker opened. */
    open(accountId: string): Promise<void>;
  };
  readonly proxies: {
    /** What `Network` has of the operating system's proxies, for an address. */
    system(url: string): Promise<string>;
    /** Value of `Proxy-Authorization` for a proxy that asks for Kerberos, by VS Code's own means; `undefined` without a ticket. */
    negotiate(proxyHost: string): Promise<string | undefined>;
  };
  readonly log: Log;
}

/** The name of an account's tracker among the services of the worker thread. */
export function trackerName(accountId: string): string {
  return `tracker:${accountId}`;
}

/** A service as the other thread sees it: every call takes a while. */
type Remote<Service> = {
  readonly [Method in keyof Service]: Service[Method] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never;
};

export type RemoteServices<Services> = { readonly [Name in keyof Services]: Remote<Services[Name]> };

/** Who takes in what the other thread may ask for: a `Peer`. */
interface Exposing {
  expose(name: string, target: object): void;
}

/** Offers services to the other thread: the compiler sees to it that none is missing. */
export function serve<Services extends { readonly [Name in keyof Services]: object }>(
  peer: Exposing,
  services: Services,
): void {
  for (const [name, service] of Object.entries<object>(services)) peer.expose(name, service);
}

/** The services of the other thread, each call of which goes through `call`. */
export function connect<Services extends object>(
  call: (service: string, method: string, args: readonly unknown[]) => Promise<unknown>,
): RemoteServices<Services> {
  return named((service) => remoteService((method, args) => call(service, method, args))) as RemoteServices<Services>;
}

/** One service of the other thread. */
export function remoteService<Service extends object>(
  call: (method: string, args: readonly unknown[]) => Promise<unknown>,
): Remote<Service> {
  return named((method) => {
    return (...args: readonly unknown[]) => call(method, args);
  }) as Remote<Service>;
}

/** An object with something under every name that it is asked for. It is no promise, whoever awaits it. */
function named(make: (name: string) => unknown): object {
  const made = new Map<string, unknown>();
  return new Proxy(
    {},
    {
      get: (_target, name) => {
        if (typeof name === 'symbol' || name === 'then') return undefined;
        const known = made.get(name) ?? make(name);
        made.set(name, known);
        return known;
      },
    },
  );
}
