import { BlockList, isIP } from 'node:net';
import { TrackerError } from '../../core/errors.ts';
import type { Network } from '../../core/ports/connection.ts';
import { bareHost, isLoopback } from './baseUrl.ts';
import { networkError } from './networkError.ts';

/** The proxy on the way to a server. */
export interface HttpProxy {
  /** http or https, host and port; without user and password. */
  readonly url: URL;
  /** Value of `Proxy-Authorization`. A secret. */
  readonly authorization: string | undefined;
  /** The setting or variable that names it. */
  readonly source: string;
}

/**
 * The proxy for a server: VS Code's setting, else the environment. None for this machine, unless a list of exceptions holds
 * `<-loopback>`. Throws `TrackerError` `input`, which does not repeat the address: it may hold a password.
 */
export function proxyFor(target: URL, network: Network): HttpProxy | undefined {
  const { noProxy, environment, proxyAuthorization } = network;
  const [address, source] = named(target, network);
  if (!network.useProxy || address === '') return undefined;
  const exceptions = [...noProxy, ...environment.NO_PROXY.split(/[\s,]+/)].map((entry) => entry.trim().toLowerCase());
  if (isLoopback(target.hostname) && !exceptions.includes('<-loopback>')) return undefined;
  if (exceptions.some((entry) => bypasses(entry, target))) return undefined;
  const url = parsed(address, source);
  const authorization = proxyAuthorization || credentialsOf(url);
  url.username = '';
  url.password = '';
  return { url, authorization, source };
}

function named({ protocol }: URL, { proxy, environment }: Network): readonly [address: string, source: string] {
  if (proxy.trim() !== '') return [proxy.trim(), 'http.proxy'];
  const variable = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return [environment[variable].trim(), variable];
}

function parsed(address: string, source: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);
  if (url?.protocol.startsWith('socks')) {
    throw new TrackerError('input', `${source} is set to a SOCKS proxy, which is not supported. Use an HTTP proxy.`);
  }
  if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return url;
  throw new TrackerError('input', `${source} must be a proxy address, such as http://proxy.example.com:3128.`);
}

function credentialsOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

/** People forget to encode a percent sign; then it is meant as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether an entry of a list of exceptions means the server: `*`, a name with all names below it (`example.com`, `.example.com`,
 * `*.example.com`), an address, a range of addresses (`10.0.0.0/8`), each but the last perhaps with a port. Lower case.
 */
function bypasses(entry: string, target: URL): boolean {
  if (entry === '') return false;
  if (entry === '*') return true;
  const host = bareHost(target.hostname.toLowerCase());
  if (entry.includes('/')) return isInRange(host, entry);
  const { name, port } = parts(entry);
  if (port !== undefined && port !== portOf(target)) return false;
  if (isIP(host) !== 0) return name === host;
  return name !== '' && (host === name || host.endsWith(`.${name}`));
}

function parts(entry: string): { readonly name: string; readonly port: string | undefined } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
  const name = bracketed ?? plain ?? entry;
  return { name: name.replace(/^\*?\.+/, ''), port };
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

function isInRange(host: string, range: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  const isWithin = /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv6' ? 128 : 32);
  if (!isWithin || isIP(address) === 0 || isIP(host) !== isIP(address)) return false;
  const ranges = new BlockList();
  ranges.addSubnet(address, Number(bits), family);
  return ranges.check(host, family);
}

/** The error for a proxy that cannot be reached; what is an error of ours already stays. */
export function unreachableProxy({ url, source }: HttpProxy, error: unknown): TrackerError {
  if (error instanceof TrackerError) return error;
  const { kind, message, cause } = networkError(error, '', url.host);
  return new TrackerError(kind, `${message} This proxy comes from ${source}.`, { cause });
}

/** The error for a proxy that answered `status` instead of letting a connection through. */
export function proxyRefusal({ url, source, authorization }: HttpProxy, status: number): TrackerError {
  const who = `The proxy ${url.host} (${source})`;
  if (status === 407) {
    const wanted =
      authorization === undefined ? 'requires a username and password' : 'does not accept the username and password';
    const message = `${who} ${wanted}. Set them in http.proxy, as in http://user:password@${url.host}, or set http.proxyAuthorization.`;
    return new TrackerError('unreachable', message, { status });
  }
  const message = `${who} blocks this server (status ${status}). If the server is reachable without the proxy, add its name to http.noProxy.`;
  return new TrackerError('unreachable', message, { status });
}
