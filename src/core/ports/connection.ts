import { TrackerError } from '../errors.ts';

/** What proves to one server who this machine is. */
export interface ClientCertificate {
  /** Scheme, host and port: no other server gets it. */
  readonly origin: string;
  /** Absolute path of a PEM file. */
  readonly cert?: string;
  /** Likewise; the key is in the file of the certificate when left out. */
  readonly key?: string;
  /** Absolute path of a file with both, instead of those. */
  readonly pfx?: string;
  /** Opens the key. A secret. */
  readonly passphrase?: string;
}

/** How this machine reaches servers, as VS Code's settings and the environment say; plain data, for the worker thread. */
export interface NetworkSettings {
  /** `http.proxySupport` is not `off`. */
  readonly useProxy: boolean;
  /** `http.proxy`: an address, perhaps with user and password; empty when none is set. */
  readonly proxy: string;
  /** `http.noProxy`: hosts that are reached without a proxy. */
  readonly noProxy: readonly string[];
  /** `http.proxyAuthorization`: the whole value of the header `Proxy-Authorization`; empty when none is set. */
  readonly proxyAuthorization: string;
  /** `http.systemCertificates`: the authorities of the operating system are trusted too. */
  readonly systemCertificates: boolean;
  /** `storyTracker.extraCertificates`: absolute paths of PEM files. */
  readonly extraCertificates: readonly string[];
  /** `storyTracker.clientCertificates`. */
  readonly clientCertificates: readonly ClientCertificate[];
  /** Proxies that the environment names; empty where it names none. */
  readonly environment: {
    readonly HTTPS_PROXY: string;
    readonly HTTP_PROXY: string;
    readonly NO_PROXY: string;
  };
}

/** How this machine reaches one server. */
export interface Network extends NetworkSettings {
  /**
   * What VS Code finds out for this server from the operating system's proxy settings and configuration scripts: a list as those
   * scripts answer it (`PROXY a:1; SOCKS b:2; DIRECT`), or addresses. Empty when there is none, or nobody to tell.
   */
  readonly systemProxies: string;
}

/** No proxy, and the authorities that Node.js and the operating system trust. */
export const plainNetwork: Network = {
  useProxy: true,
  proxy: '',
  noProxy: [],
  proxyAuthorization: '',
  systemCertificates: true,
  extraCertificates: [],
  clientCertificates: [],
  environment: { HTTPS_PROXY: '', HTTP_PROXY: '', NO_PROXY: '' },
  systemProxies: '',
};

/** Below a server's address: where agents speak the Model Context Protocol with it, if it has that (docs/service.md). */
export const AGENT_PATH = '/mcp';

/** How to reach an account right now. */
export interface Access {
  readonly baseUrl: string;
  readonly token: string;
}

/** Where one account's server is and how it wants to be spoken to. Without its token: that is asked for per request. */
export interface Connection {
  readonly accountId: string;
  /** Origin and sub-path, without `/services/v3`. */
  readonly baseUrl: string;
  /** Header that carries the token; `X-ServiceToken` unless a setting says otherwise (protocol.md, Names). */
  readonly tokenHeader: string;
  readonly network: Network;
}

/** The field of an error that is about the passphrase of a client certificate: that it is missing, or wrong. */
export const PASSPHRASE = 'passphrase';

export function isAboutPassphrase(error: unknown): boolean {
  return error instanceof TrackerError && error.fields.some(({ field }) => field === PASSPHRASE);
}

/** What a check of a connection walks through, in this order: the proxy comes before TLS, which runs inside its tunnel. */
export const checkStepNames = ['address', 'dns', 'tcp', 'proxy', 'tls', 'token', 'projects'] as const;

export type CheckStepName = (typeof checkStepNames)[number];

/** What mends a step that failed: a setting, the passphrase of a certificate, or signing in with another address or token. */
export type CheckMend =
  | 'http.proxy'
  | 'http.noProxy'
  | 'storyTracker.extraCertificates'
  | 'storyTracker.clientCertificates'
  | 'passphrase'
  | 'storyTracker.tokenHeader'
  | 'signIn';

/** One step and what came of it. `skipped` steps do not apply to this server; steps after a failed one are not taken. */
export interface CheckStep {
  readonly name: CheckStepName;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** A sentence for a person; never a token, a password or a query. */
  readonly detail: string;
  readonly mend?: CheckMend;
}

/** How a check is watched and ended. */
export interface CheckProgress {
  /** Told of each step as soon as it has been taken. */
  readonly onStep?: (step: CheckStep) => void;
  readonly signal?: AbortSignal;
}
