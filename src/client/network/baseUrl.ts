import { TrackerError } from '../../core/errors.ts';
import { withoutEnd } from '../../core/text.ts';
import { t } from '../../core/translation.ts';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** The address of a server, checked: http or https, perhaps a port and a sub-path, nothing else. Throws `TrackerError` `input`. */
export function parseBaseUrl(text: string): URL {
  const url = URL.parse(text.trim());
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TrackerError('input', t('A server address must start with https:// or http:// and include a host.'));
  }
  if (url.username !== '' || url.password !== '') {
    throw new TrackerError('input', t('A server address must not include a username or password.'));
  }
  if (/[?#]/.test(text)) throw new TrackerError('input', t('A server address must not include a "?" or "#" part.'));
  url.pathname = withoutEnd(url.pathname, '/');
  return url;
}

/** True when what is sent there, tokens too, can be read on the way: no TLS, and not this machine. */
export function isInsecure(baseUrl: string): boolean {
  const url = parseBaseUrl(baseUrl);
  return url.protocol === 'http:' && !isLoopback(url.hostname);
}

/** Whether the host name of a URL can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** The address of a path below the base, sub-path included. */
export function addressOf(base: URL, path: string, query?: URLSearchParams): URL {
  const url = new URL(base);
  url.pathname = withoutEnd(base.pathname, '/') + path;
  url.search = query ? query.toString() : '';
  return url;
}

/** The host name of a URL without the brackets that addresses of version 6 have there: as sockets want it. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}
