import type { IncomingMessage } from 'node:http';
import { badRequest, forbidden } from '../ground/errors.ts';
import { readHost } from './hostNames.ts';

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
  const ownPage = origin === undefined || origin === publicOrigin || isOrigin(origin, host);
  const ownSite = site === undefined || site === 'same-origin' || site === 'none';
  if (!ownPage || !ownSite) throw forbidden('Requests from pages of other origins are refused.');
}

function isOrigin(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}
