import { withoutEnd } from '../../core/trimmed.ts';
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
