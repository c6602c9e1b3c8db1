import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { withoutEnd } from '../../core/text.ts';

/** A Host header taken apart; `name` is lower case and without the brackets of an IPv6 address. */
interface HostName {
  readonly name: string;
  readonly port: string;
}

const HOST = /^(?:\[([0-9a-f:.]{2,45})\]|([a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?\.?))(?::(\d{1,5}))?$/i;

/** The parts of a Host header, or undefined when it is not one. */
export function readHost(header: string): HostName | undefined {
  const match = HOST.exec(header);
  if (!match) return undefined;
  const [, address, name = '', port = ''] = match;
  if (address !== undefined && isIP(address) !== 6) return undefined;
  return { name: (address ?? name).toLowerCase().replace(/\.$/, ''), port };
}

export function isLoopback(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIP(name) === 4 && name.startsWith('127.'))
  );
}

/**
 * Which host names the service answers to. Bound to loopback only loopback names, so that a page elsewhere cannot reach
 * it by pointing a name of its own here; bound to the network also addresses, which no name can stand for.
 */
export function hostCheck(boundTo: string, allowed: readonly string[]): (name: string) => boolean {
  const names = new Set([...allowed.map((name) => name.toLowerCase())]);
  if (isLoopback(boundTo)) return (name) => isLoopback(name) || names.has(name);
  names.add(boundTo.toLowerCase());
  names.add(hostname().toLowerCase());
  return (name) => isLoopback(name) || names.has(name) || isIP(name) !== 0;
}

/** How others reach a service, behind a proxy or by a name of its own. */
export interface PublicUrl {
  /** Without a slash at the end. */
  readonly href: string;
  /** `Origin` of its pages. */
  readonly origin: string;
  readonly hostname: string;
  /** Empty, or a path that starts with a slash and does not end with one. */
  readonly path: string;
}

/** The address taken apart; undefined for anything else than http or https with a host and perhaps a path. */
export function publicUrlOf(text: string): PublicUrl | undefined {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  const path = withoutEnd(url.pathname, '/');
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || (path !== '' && !/^(?:\/[\w.~-]+)+$/.test(path))) return undefined;
  return { href: `${url.origin}${path}`, origin: url.origin, hostname: url.hostname, path };
}
