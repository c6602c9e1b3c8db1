import { BlockList, isIP, type Socket } from 'node:net';
import { domainToASCII } from 'node:url';
import { TrackerError } from '../../core/errors.ts';
import type { Network } from '../../core/ports/connection.ts';
import { t } from '../../core/translation.ts';
import { bareHost, isLoopback } from './baseUrl.ts';
import type { Connect } from './connect.ts';
import { networkError } from './networkError.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

/** A proxy on the way to a server. */
export interface ProxyServer {
  /** http, https, socks4 or socks5, host and port; without user and password. */
  readonly url: URL;
  /** Value of `Proxy-Authorization`, for a proxy that speaks HTTP. A secret. */
  readonly authorization: string | undefined;
  /** For one that speaks SOCKS. A secret. */
  readonly login: Login | undefined;
  /** The setting or variable that names it, or whose proxy it is. */
  readonly source: string;
}

export function isSocks({ url }: ProxyServer): boolean {
  return url.protocol.startsWith('socks');
}

/**
 * The proxies for a server in the order in which they are to be tried; `undefined` is the direct way. VS Code's setting comes
 * first, then the environment, then what VS Code finds out from the operating system and its configuration script. Never empty.
 * None for this machine, unless a list of exceptions holds `<-loopback>`. Throws `TrackerError` `input`, which does not repeat
 * the address: it may hold a password.
 */
export function proxiesFor(target: URL, network: Network): readonly (ProxyServer | undefined)[] {
  const { noProxy, environment, useProxy, proxyAuthorization } = network;
  const named = addressesFor(target, network);
  if (!useProxy || named.addresses.length === 0) return [undefined];
  const exceptions = [...noProxy, ...environment.NO_PROXY.split(/[\s,]+/)].map((entry) => entry.trim().toLowerCase());
  if (isLoopback(target.hostname) && !exceptions.includes('<-loopback>')) return [undefined];
  if (exceptions.some((entry) => isException(entry, target))) return [undefined];
  return named.addresses.map((address) =>
    address === DIRECT ? undefined : proxyAt(address, named.source, proxyAuthorization),
  );
}

const DIRECT = 'DIRECT';

function addressesFor({ protocol }: URL, { proxy, environment, systemProxies }: Network) {
  if (proxy.trim() !== '') return { addresses: [proxy.trim()], source: 'http.proxy' };
  const variable = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const address = environment[variable].trim();
  if (address !== '') return { addresses: [address], source: variable };
  return { addresses: listed(systemProxies), source: t('the operating system') };
}

const SCHEMES: Readonly<Record<string, string>> = {
  PROXY: 'http:',
  HTTP: 'http:',
  HTTPS: 'https:',
  SOCKS: 'socks5:',
  SOCKS5: 'socks5:',
  SOCKS4: 'socks4:',
};

/** What a list such as `PROXY a:1; SOCKS b:2; DIRECT` names, as addresses; kinds that nobody knows are passed over. */
function listed(list: string): readonly string[] {
  return list.split(';').flatMap((entry) => {
    const [kind = '', host] = entry.trim().split(/\s+/);
    if (kind.toUpperCase() === DIRECT) return DIRECT;
    if (kind.includes('://')) return kind;
    const scheme = SCHEMES[kind.toUpperCase()];
    return scheme && host ? `${scheme}//${host}` : [];
  });
}

/** All that VS Code's own setting takes; the names of servers are the proxy's to look up, with each of them. */
const SOCKS: Readonly<Record<string, string>> = { socks: 'socks5', socks5h: 'socks5', socks4a: 'socks4' };

function proxyAt(address: string, source: string, proxyAuthorization: string): ProxyServer {
  const [, scheme = 'http', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(address) ?? [];
  const kind = scheme.toLowerCase();
  // People forget to encode what is in a password, and in an address some of it would begin a path.
  const end = rest.lastIndexOf('@');
  const url = URL.parse(`${SOCKS[kind] ?? kind}://${rest.slice(end + 1)}`);
  if (!url || !/^(https?|socks[45]):$/.test(url.protocol) || url.hostname === '') {
    throw new TrackerError('input', t('{0} must be a proxy address, such as http://proxy.example.com:3128.', source));
  }
  const login = loginIn(rest.slice(0, Math.max(0, end)));
  if (!url.protocol.startsWith('socks')) {
    return { url, authorization: proxyAuthorization || basic(login), login: undefined, source };
  }
  url.port ||= '1080';
  return { url, authorization: undefined, login, source };
}

/** `user:password`, each perhaps encoded. */
function loginIn(text: string): Login | undefined {
  const [, username = '', password = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  return username === '' && password === '' ? undefined : { username: decoded(username), password: decoded(password) };
}

function basic(login: Login | undefined): string | undefined {
  return login && `Basic ${Buffer.from(`${login.username}:${login.password}`).toString('base64')}`;
}

/** People forget to encode a percent sign; then it is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A connection to the proxy itself. Rejects with a `TrackerError` that names it. */
export async function connectToProxy(proxy: ProxyServer, connect: Connect): Promise<Socket> {
  const { hostname, host, port, protocol } = proxy.url;
  const target = { hostname: bareHost(hostname), host, port, protocol: protocol === 'https:' ? protocol : 'http:' };
  return connect(target).catch((error: unknown) => {
    throw unreachableProxy(proxy, error);
  });
}

/** The error for a proxy that cannot be reached; what is an error of ours already stays. */
export function unreachableProxy({ url, source }: ProxyServer, error: unknown): TrackerError {
  if (error instanceof TrackerError) return error;
  const { kind, message, cause } = networkError(error, '', url.host);
  return new TrackerError(kind, t('{0} This proxy comes from {1}.', message, source), { cause });
}

/** The error for a proxy that answered `status` instead of letting a connection through. */
export function proxyRefusal(proxy: ProxyServer, status: number, schemes = ''): TrackerError {
  const who = nameOf(proxy);
  if (status !== 407) {
    const message = t(
      '{0} blocks this server (status {1}). If the server is reachable without the proxy, add its name to http.noProxy.',
      who,
      status,
    );
    return new TrackerError('unreachable', message, { status });
  }
  const known = /\bbasic\b/i.test(schemes) ? undefined : LOCAL_LOGINS.find(([scheme]) => scheme.test(schemes));
  if (!known) return refusedLogin(proxy, proxy.authorization !== undefined);
  return new TrackerError('unreachable', known[1](who), { status });
}

/** Ways to sign in that need no password of ours, and what helps where they fail. */
const LOCAL_LOGINS: readonly (readonly [scheme: RegExp, text: (proxy: string) => string])[] = [
  [
    /\b(negotiate|kerberos)\b/i,
    (proxy) =>
      t(
        '{0} requires Kerberos, and there is no ticket for it. Sign in to your domain, for instance with kinit, or set http.proxy to a local proxy that signs in for you, such as Px.',
        proxy,
      ),
  ],
  [
    /\bntlm\b/i,
    (proxy) =>
      t(
        '{0} requires NTLM, which is not supported. Set http.proxy to a local proxy that signs in for you, such as Px.',
        proxy,
      ),
  ],
];

/** The error for a proxy that lets nobody through without a login, or not with the one that it was given. */
export function refusedLogin(proxy: ProxyServer, isGiven: boolean): TrackerError {
  const { url } = proxy;
  const what = isGiven
    ? t('{0} does not accept the username and password.', nameOf(proxy))
    : t('{0} requires a username and password.', nameOf(proxy));
  const example = `${url.protocol}//user:password@${url.host}`;
  const message = isSocks(proxy)
    ? t('{0} Set them in http.proxy, as in {1}.', what, example)
    : t('{0} Set them in http.proxy, as in {1}, or set http.proxyAuthorization.', what, example);
  return new TrackerError('unreachable', message, { status: 407 });
}

/** As the beginning of a sentence. */
export function nameOf({ url, source }: ProxyServer): string {
  return t('The proxy {0} ({1})', url.host, source);
}

/**
 * Whether an entry of a list of exceptions means the server: `*`, a name with all names below it (`example.com`, `.example.com`,
 * `*.example.com`), an address, a range of addresses (`10.0.0.0/8`), each but the last perhaps with a port. Lower case; names
 * and addresses may be written in any of their forms.
 */
function isException(entry: string, target: URL): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const host = canonical(bareHost(target.hostname.toLowerCase()));
  if (entry.includes('/')) return isInRange(host, entry);
  const { name, port } = parts(entry);
  if (port !== undefined && port !== portOf(target)) return false;
  if (isIP(host) !== 0) return name === host;
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

function parts(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  return { name: canonical(name.replace(/^\*?\.+/, '')), port };
}

/** As URLs have it: an address of version 6 at its shortest, a name in ASCII and without the root's dot. */
function canonical(name: string): string {
  if (isIP(name) === 6) return bareHost(URL.parse(`http://[${name}]`)?.hostname ?? name);
  return (domainToASCII(name) || name).replace(/\.$/, '');
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function isInRange(host: string, range: string): boolean {
  const [start = '', bits = ''] = range.split('/');
  const address = bareHost(start);
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const isWithin = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32);
  if (!isWithin || isIP(address) === 0 || isIP(host) !== isIP(address)) return false;
  const ranges = new BlockList();
  ranges.addSubnet(address, Number(bits), family);
  return ranges.check(host, family);
}
