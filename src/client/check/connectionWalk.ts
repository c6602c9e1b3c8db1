import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { failureMeans, kindOf, messageOf, TrackerError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import {
  type CheckMend,
  type CheckProgress,
  type CheckStep,
  type CheckStepName,
  checkStepNames,
  isAboutPassphrase,
  type Network,
} from '../../core/ports/connection.ts';
import { t } from '../../core/translation.ts';
import { DEFAULT_TIMEOUTS } from '../http/timeouts.ts';
import { bareHost, parseBaseUrl } from '../network/baseUrl.ts';
import { connectionsOver } from '../network/connections.ts';
import { codeOf, isAboutCertificate, isCutOff, networkError } from '../network/networkError.ts';
import { isSocks, type ProxyServer, proxyRefusal, unreachableProxy } from '../network/proxyServer.ts';
import { firstReachable, isForwarding, type Route, routesTo, tunnelTo } from '../network/route.ts';
import type { Negotiate } from '../network/tunnel.ts';
import { createTracker, type HttpTracker } from '../tracker/httpTracker.ts';

interface ConnectionCheck {
  readonly baseUrl: string;
  readonly tokenHeader: string;
  readonly network: Network;
  /** Left out when nobody is signed in there: then the server has to ask for a token, and no more. */
  readonly token?: () => Promise<string>;
  /** As for a tracker. */
  readonly negotiate?: Negotiate;
  readonly log: Log;
  /** The addresses of a host name; the operating system is asked when left out. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
  /** Milliseconds for a connection to come about. */
  readonly timeout?: number;
}

/** A step that does not apply; the message says why. */
class SkippedStep extends Error {}

/** The steps of one check: each gives a sentence, or throws `SkippedStep` or what went wrong. To be taken in order. */
class ConnectionWalk implements Record<CheckStepName, () => Promise<string>> {
  private readonly check: ConnectionCheck;
  private readonly signal: AbortSignal | undefined;
  private readonly timeout: number;
  private way: { readonly server: URL; readonly route: Route } | undefined;
  private tracker: HttpTracker | undefined;
  private asked: Promise<number> | undefined;

  constructor(check: ConnectionCheck, signal: AbortSignal | undefined) {
    this.check = check;
    this.signal = signal;
    this.timeout = check.timeout ?? DEFAULT_TIMEOUTS.connect;
  }

  get hasProxy(): boolean {
    return this.way?.route.proxy !== undefined;
  }

  async address(): Promise<string> {
    const server = parseBaseUrl(this.check.baseUrl);
    const routes = routesTo(server, this.check.network, this.timeout, this.check.negotiate);
    const route = await firstReachable(routes);
    this.way = { server, route };
    const { proxy } = route;
    const way = wayText(server, proxy);
    return routes.length > 1 ? t('{0} The first that answers, of {1} ways.', way, routes.length) : way;
  }

  async dns(): Promise<string> {
    const { hostname, host } = this.firstHop();
    if (isIP(hostname) !== 0) throw new SkippedStep(t('{0} is already an address.', hostname));
    const resolve = this.check.resolve ?? addressesOf;
    const addresses = await resolve(hostname).catch((error: unknown) => this.fail(error, host));
    return t('{0} is {1}.', hostname, addresses.join(', '));
  }

  async tcp(): Promise<string> {
    const { hostname, host, port } = this.firstHop();
    const socket = await connected(hostname, port, this.timeout).catch((error: unknown) => this.fail(error, host));
    const { remoteAddress, remotePort } = socket;
    socket.destroy();
    return t('{0} answers on port {1}.', remoteAddress ?? '', remotePort ?? '');
  }

  async proxy(): Promise<string> {
    const { server, route } = this.walked();
    const { proxy } = route;
    if (!proxy) throw new SkippedStep(t('No proxy is used for this server.'));
    if (isForwarding(proxy, server)) return this.forwarded(proxy, route, server);
    const port = server.port || (server.protocol === 'https:' ? 443 : 80);
    const { straight } = route;
    const socket = await tunnelTo(
      `${server.hostname}:${port}`,
      { proxy, straight },
      this.timeout,
      this.check.negotiate,
    );
    socket.destroy();
    return t('{0} accepts connections to {1}.', proxy.url.host, server.host);
  }

  async tls(): Promise<string> {
    const { server, route } = this.walked();
    const { protocol, hostname, host, port } = server;
    if (protocol === 'http:') throw new SkippedStep(t('The address starts with http://, so TLS is not used.'));
    const target = { protocol, hostname: bareHost(hostname), host, port };
    const socket = await route.connect(target).catch((error: unknown) => this.fail(error));
    const detail = socket instanceof TLSSocket ? describedTls(socket) : '';
    socket.destroy();
    await this.askForCertificate(route, server);
    return detail;
  }

  async token(): Promise<string> {
    const { token, baseUrl, tokenHeader, network, negotiate, log } = this.check;
    const negotiating = negotiate ? { negotiate } : {};
    const options = { baseUrl, tokenHeader, network, log, ...negotiating, timeouts: { connect: this.timeout } };
    // Without a token the server is asked with one that nobody has: refusing it is what a tracker does.
    this.tracker = createTracker({ ...options, token: token ?? (async () => crypto.randomUUID()) });
    const calling = this.signal ? { signal: this.signal } : {};
    this.asked = this.tracker.listProjects(calling).then((projects) => projects.length);
    this.asked.catch(() => undefined);
    if (!token) throw new SkippedStep(t('You are not signed in to this server.'));
    const error = await this.asked.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error === undefined) return t('The server accepts the token.');
    if (failureMeans(kindOf(error), 'denied') || kindOf(error) === 'input') throw error;
    throw new SkippedStep(t('The server did not report whether it accepts the token.'));
  }

  async projects(): Promise<string> {
    try {
      const count = (await this.asked) ?? 0;
      return count === 1 ? t('There is 1 project.') : t('There are {0} projects.', count);
    } catch (error) {
      const isAsking = failureMeans(kindOf(error), 'signIn');
      if (isAsking && !this.check.token) return t('The server answers and requires a token.');
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.tracker?.close();
  }

  private walked(): { readonly server: URL; readonly route: Route } {
    if (!this.way) throw new Error('An earlier step failed.');
    return this.way;
  }

  /** What is connected to first: the proxy, or else the server. */
  private firstHop() {
    const { server, route } = this.walked();
    const { hostname, host, port, protocol } = route.proxy?.url ?? server;
    const known = Number(port) || (protocol === 'https:' ? 443 : 80);
    return { hostname: bareHost(hostname), host, port: known };
  }

  /** Without TLS to the server the proxy is asked on behalf of it, so the token stays out of this step. */
  private async forwarded(proxy: ProxyServer, route: Route, server: URL): Promise<string> {
    const connections = connectionsOver([route], server);
    const options = {
      method: 'HEAD',
      headersTimeout: DEFAULT_TIMEOUTS.headers,
    } as const;
    try {
      const { statusCode, body } = await connections.request(
        server,
        this.signal ? { ...options, signal: this.signal } : options,
      );
      await body.dump();
      if (statusCode === 407) throw proxyRefusal(proxy, statusCode);
      return t('{0} forwards requests to {1}.', proxy.url.host, server.host);
    } catch (error) {
      throw unreachableProxy(proxy, error);
    } finally {
      await connections.close();
    }
  }

  /** Whether the server wants another client certificate shows when it is asked for something. */
  private async askForCertificate(route: Route, server: URL): Promise<void> {
    const connections = connectionsOver([route], server);
    const options = { method: 'HEAD', headersTimeout: this.timeout } as const;
    try {
      const { body } = await connections.request(server, this.signal ? { ...options, signal: this.signal } : options);
      await body.dump();
    } catch (error) {
      if (isAboutCertificate(error)) this.fail(error);
      if (isCutOff(error)) throw new TrackerError('unreachable', endedText(server.host), { cause: error });
    } finally {
      await connections.close();
    }
  }

  private fail(error: unknown, host?: string): never {
    if (error instanceof TrackerError) throw error;
    const { server, route } = this.walked();
    if (route.proxy && host !== undefined) throw unreachableProxy(route.proxy, error);
    throw networkError(error, '', host ?? server.host);
  }
}

function wayText({ href }: URL, proxy: ProxyServer | undefined): string {
  if (!proxy) return t('{0}, directly.', href);
  const { url, source } = proxy;
  return isSocks(proxy)
    ? t('{0} through the SOCKS proxy {1} ({2}).', href, url.host, source)
    : t('{0} through the proxy {1} ({2}).', href, url.host, source);
}

/** All addresses of a host name, as the operating system knows them. */
async function addressesOf(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** A connection without TLS, made within `timeout` milliseconds; to be destroyed. */
function connected(host: string, port: number, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
  });
}

function endedText(host: string): string {
  return t(
    '{0} ends the connection as soon as it is asked. If it requires a client certificate, set its files in storyTracker.clientCertificates.',
    host,
  );
}

/** What was agreed on, and whose certificate it was. */
function describedTls(socket: TLSSocket): string {
  const { subject, issuer, valid_to } = socket.getPeerCertificate();
  const [whose, whoSays] = [subject, issuer].map((name) => [name?.CN ?? name?.O ?? '?'].flat().join(', '));
  return t(
    '{0}, certificate of {1} by {2}, valid until {3}.',
    socket.getProtocol() ?? '',
    whose ?? '',
    whoSays ?? '',
    valid_to,
  );
}

/**
 * Walks from the address of a server to its projects and says what came of each step; the first that fails is the last. What
 * requests go through is what is walked. Throws `TrackerError` `cancelled`, nothing else.
 */
export async function checkConnection(
  check: ConnectionCheck,
  { onStep, signal }: CheckProgress = {},
): Promise<readonly CheckStep[]> {
  const walk = new ConnectionWalk(check, signal);
  const steps: CheckStep[] = [];
  try {
    for (const name of checkStepNames) {
      const step = await outcomeOf(name, walk);
      if (signal?.aborted) throw new TrackerError('cancelled', 'Canceled.');
      steps.push(step);
      onStep?.(step);
      if (step.outcome === 'failed') break;
    }
  } finally {
    await walk.close();
  }
  return steps;
}

async function outcomeOf(name: CheckStepName, walk: ConnectionWalk): Promise<CheckStep> {
  try {
    return { name, outcome: 'passed', detail: await walk[name]() };
  } catch (thrown) {
    if (thrown instanceof SkippedStep) return { name, outcome: 'skipped', detail: thrown.message };
    const mend = suggestedFix(name, thrown, walk.hasProxy);
    return { name, outcome: 'failed', detail: messageOf(thrown), ...(mend ? { mend } : {}) };
  }
}

/** The setting, or the sign-in, that mends a step which failed so; none where only the server's operator can. */
function suggestedFix(step: CheckStepName, error: unknown, hasProxy: boolean): CheckMend | undefined {
  const said = error instanceof TrackerError ? error.message : '';
  if (said.includes('storyTracker.extraCertificates')) return 'storyTracker.extraCertificates';
  if (said.includes('storyTracker.clientCertificates')) return 'storyTracker.clientCertificates';
  if (isAboutPassphrase(error)) return 'passphrase';
  if (said.includes('storyTracker.tokenHeader')) return 'storyTracker.tokenHeader';
  if (step === 'proxy') return said.includes('http.noProxy') ? 'http.noProxy' : 'http.proxy';
  if (step === 'tls') return codeOf(error) === 'CERT_HAS_EXPIRED' ? undefined : 'signIn';
  if (step === 'address') return said.includes('proxy') ? 'http.proxy' : 'signIn';
  if (step === 'dns') return hasProxy ? 'http.proxy' : 'signIn';
  // Silence is what networks with a proxy give to those who go around it; a refusal comes from the address itself.
  if (step === 'tcp') return hasProxy || codeOf(error) !== 'ECONNREFUSED' ? 'http.proxy' : 'signIn';
  return 'signIn';
}
