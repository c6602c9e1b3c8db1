import { withoutEnd } from '../../core/text.ts';
import type { Account } from '../../host/accounts/account.ts';

/** An address as a person typed it, made whole. */
export interface ServerAddress {
  /** Origin and sub-path, without a slash at the end and without `/services/v3`. */
  readonly baseUrl: string;
  /** Host, port and sub-path, as people name the server. */
  readonly name: string;
  /** Anyone on the way could read the token. */
  readonly isExposed: boolean;
}

/**
 * Reads what a person typed: `tracker.example.com`, `localhost:8080/tracker`, a whole address, or one copied with the
 * API's path. Without a scheme this machine is spoken to over http and all others over https.
 * `undefined` when it is no address.
 */
export function serverAddressOf(typed: string): ServerAddress | undefined {
  const text = typed.trim();
  const url = parsedUrl(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${schemeFor(text)}://${text}`);
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (url.username !== '' || url.password !== '' || /\s/.test(text)) return undefined;
  const path = withoutEnd(url.pathname.replace(/\/services(\/v\d+(\/.*)?)?\/?$/s, ''), '/');
  const baseUrl = `${url.origin}${path}`;
  return { baseUrl, name: `${url.host}${path}`, isExposed: url.protocol === 'http:' && !isThisMachine(url.hostname) };
}

/** Whether a host name can only mean this machine. */
function isThisMachine(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

function schemeFor(text: string): 'http' | 'https' {
  const hostname = parsedUrl(`http://${text}`)?.hostname ?? '';
  return isThisMachine(hostname) ? 'http' : 'https';
}

function parsedUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Whether the argument of a command, `{ builtIn: true }`, `{ baseUrl }` or `{ baseUrl, user }`, means this account. */
export function isNamed(account: Account, { baseUrl, builtIn, user }: Readonly<Record<string, unknown>>): boolean {
  if (builtIn === true) return account.kind === 'builtIn';
  const names = [account.id.slice(0, account.id.lastIndexOf(' ')), account.person?.name, account.person?.email];
  if (typeof user === 'string' && !names.includes(user)) return false;
  return typeof baseUrl === 'string' && account.baseUrl === serverAddressOf(baseUrl)?.baseUrl;
}
