import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { withoutEnd } from '../../core/text.ts';
import { badRequest, forbidden } from '../ground/errors.ts';

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

export interface GuardRules {
  readonly hostAllowed: (name: string) => boolean;
  /** Of this service's pages behind a proxy. */
  readonly publicUrl?: { readonly origin: string } | undefined;
}

/**
 * Refuses what a browser was led to send from elsewhere: an unknown Host (rebinding), a foreign Origin, a cross-site fetch.
 * Returns the Host as sent, which is how the caller knows this service.
 */
export function guard(request: IncomingMessage, rules: GuardRules, mayBeLinkedTo: boolean): string {
  const host = request.headers.host ?? '';
  const known = readHost(host);
  if (!known) throw badRequest('The Host header is not a host name.');
  if (!rules.hostAllowed(known.name)) throw forbidden('This service does not answer to that host name.');
  const followedLink = mayBeLinkedTo && request.headers['sec-fetch-mode'] === 'navigate';
  if (!followedLink) refuseForeignPages(request, host, rules.publicUrl?.origin);
  return host;
}

function refuseForeignPages(request: IncomingMessage, host: string, publicOrigin: string | undefined): void {
  const { origin } = request.headers;
  const site = request.headers['sec-fetch-site'];
  // Pages that tell no other where they are have no origin to tell; what else is without one is of another site.
  const isHidden = origin === 'null' && site === 'same-origin';
  const ownPage = origin === undefined || origin === publicOrigin || isHidden || isOrigin(origin, host);
  const ownSite = site === undefined || site === 'same-origin' || site === 'none';
  if (!ownPage || !ownSite) throw forbidden('Requests from pages of other origins are refused.');
}

function isOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
