import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { ClientCertificate, NetworkSettings } from '../../core/ports/connection.ts';
import type { Subscription } from '../shell/emitter.ts';
import { ownModules } from './ownModules.ts';

const section = () => vscode.workspace.getConfiguration('storyTracker');

/** Header that carries the token; machine-scoped, so no workspace decides it. */
export function tokenHeader(): string {
  return section().get<string>('tokenHeader') || 'X-ServiceToken';
}

/** Absolute paths of PEM files with authorities to trust; machine-scoped, so no workspace decides whom a token is given to. */
function extraCertificates(): readonly string[] {
  const files = section().get<readonly unknown[]>('extraCertificates');
  return Array.isArray(files) ? files.map(String).filter((file) => file.trim() !== '') : [];
}

/**
 * What to show to servers that want to know who this machine is, without passphrases; machine-scoped, so no workspace decides
 * who is shown what. Entries for what is no https address are left out.
 */
export function clientCertificates(): readonly ClientCertificate[] {
  const entries: readonly (readonly [server: string, files: unknown])[] = Object.entries(
    section().get<object>('clientCertificates') ?? {},
  );
  return entries.flatMap(([server, files]) => {
    const url = URL.parse(/^https:\/\//i.test(server) ? server : `https://${server}`);
    if (url === null || typeof files !== 'object' || files === null) return [];
    const named = Object.entries(files).filter(
      ([name, file]) => /^(cert|key|pfx)$/.test(name) && typeof file === 'string',
    );
    return { origin: url.origin, ...Object.fromEntries(named) };
  });
}

/**
 * How this machine reaches servers. `http.proxyStrictSSL` is not asked: certificates are always verified, since a token goes
 * over the connection.
 */
export function networkSettings(): Omit<NetworkSettings, 'clientCertificates'> {
  const http = vscode.workspace.getConfiguration('http');
  return {
    useProxy: trusted<string>(http, 'proxySupport', 'override') !== 'off',
    proxy: trusted<string>(http, 'proxy', '') || '',
    noProxy: trusted<readonly string[]>(http, 'noProxy', []).map(String),
    proxyAuthorization: trusted<string>(http, 'proxyAuthorization', '') || '',
    systemCertificates: trusted<boolean>(http, 'systemCertificates', true),
    extraCertificates: extraCertificates(),
    environment: {
      HTTPS_PROXY: environment('HTTPS_PROXY'),
      HTTP_PROXY: environment('HTTP_PROXY'),
      NO_PROXY: environment('NO_PROXY'),
    },
  };
}

/** Whether nobody has named a proxy or switched them off: neither this person, nor the environment, nor a workspace, which VS Code may heed. */
export function isProxyLeftToSystem({ useProxy, proxy, environment }: ReturnType<typeof networkSettings>): boolean {
  const named = [proxy, environment.HTTPS_PROXY, environment.HTTP_PROXY];
  const inEffect = vscode.workspace.getConfiguration('http').get<string>('proxy');
  return useProxy && !inEffect && named.every((address) => address.trim() === '');
}

/** What this person or machine has set; never what a workspace says, since a token goes that way. */
function trusted<T>(section: vscode.WorkspaceConfiguration, name: string, fallback: T): T {
  const found = section.inspect<T | null>(name);
  return found?.globalValue ?? found?.defaultValue ?? fallback;
}

function environment(name: string): string {
  return process.env[name.toLowerCase()] ?? process.env[name] ?? '';
}

const SECRET_PREFIX = 'storyTracker.passphrase.';

/** The client certificates of the settings, with their passphrases, which are kept among the secrets and nowhere else. */
export class ClientCertificates implements Subscription {
  private readonly secrets: vscode.SecretStorage;
  private readonly listening: Subscription;
  private known: Promise<readonly ClientCertificate[]> | undefined;

  constructor(secrets: vscode.SecretStorage) {
    this.secrets = secrets;
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('storyTracker.clientCertificates')) this.known = undefined;
      }),
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(SECRET_PREFIX)) this.known = undefined;
      }),
    );
  }

  all(): Promise<readonly ClientCertificate[]> {
    this.known ??= Promise.all(clientCertificates().map((one) => this.withPassphrase(one)));
    return this.known;
  }

  /** Keeps the passphrase, and forgets those of certificates that are no longer set. */
  async remember(origin: string, passphrase: string): Promise<void> {
    await this.secrets.store(SECRET_PREFIX + origin, passphrase);
    this.known = undefined;
    const used = new Set(clientCertificates().map((one) => SECRET_PREFIX + one.origin));
    const left = (await this.secrets.keys()).filter((key) => key.startsWith(SECRET_PREFIX) && !used.has(key));
    for (const key of left) await this.secrets.delete(key);
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async withPassphrase(certificate: ClientCertificate): Promise<ClientCertificate> {
    const passphrase = await this.secrets.get(SECRET_PREFIX + certificate.origin);
    return passphrase === undefined ? certificate : { ...certificate, passphrase };
  }
}

/** Rules may change with the time of day, and the network with the place. */
const KEPT_MS = 60_000;
/** A configuration script that cannot be fetched must not keep anyone waiting. */
const PATIENCE_MS = 5_000;

/** What is used of the module with which VS Code patches `http`; VS Code itself puts this into it. */
interface ProxyAgent {
  readonly resolveProxyURL: (url: string) => Promise<string | undefined>;
}

interface Known {
  readonly answer: Promise<string>;
  readonly until: number;
}

/**
 * The proxies that VS Code finds out from the operating system and from configuration scripts. It has no API for them: they are
 * asked for where VS Code's own patch of `http` gets them, which names the first proxy of a script's answer only. Where that
 * is missing there are none, as in a browser, which tells nobody.
 */
export class SystemProxies implements Subscription {
  private readonly log: Log;
  private readonly known = new Map<string, Known>();
  private readonly listening: Subscription;
  private agent: ProxyAgent | undefined;

  constructor(log: Log) {
    this.log = log;
    this.listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('http')) this.known.clear();
    });
  }

  /** As `Network` has them, for a server; empty when there are none. Never throws. */
  of(url: string): Promise<string> {
    const { origin, protocol } = URL.parse(url) ?? {};
    // What is no address is told so by who is to reach it.
    if (origin === undefined || !protocol?.startsWith('http')) return Promise.resolve('');
    const known = this.known.get(origin);
    if (known && known.until > Date.now()) return known.answer;
    const answer = this.ask(origin);
    this.known.set(origin, { answer, until: Date.now() + KEPT_MS });
    return answer;
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async ask(origin: string): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS);
    });
    try {
      this.agent ??= proxyAgent();
      return (await Promise.race([this.agent?.resolveProxyURL(`${origin}/`), silence])) ?? '';
    } catch (thrown) {
      this.known.delete(origin);
      this.log.warn(`VS Code does not tell the proxy for ${origin}: ${messageOf(thrown)}`);
      return '';
    } finally {
      clearTimeout(timer);
    }
  }
}

/** `undefined` where VS Code has none, or has not put its resolver into it. */
function proxyAgent(): ProxyAgent | undefined {
  return ownModules('@vscode/proxy-agent').find(isProxyAgent);
}

function isProxyAgent(value: unknown): value is ProxyAgent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'resolveProxyURL' in value &&
    typeof value.resolveProxyURL === 'function'
  );
}
