import { UsageError } from './usageError.ts';

/** How others reach a service. */
export interface PublicUrl {
  /** Without a slash at the end. */
  readonly href: string;
  /** With port where that is not the scheme's own, as `Host` has it. */
  readonly host: string;
  readonly hostname: string;
  readonly scheme: 'http' | 'https';
  /** Empty, or a path that starts with a slash and does not end with one. */
  readonly path: string;
}

/** The address that `--public-url` names; throws `UsageError` for anything else than scheme, host and path. */
export function readPublicUrl(text: string): PublicUrl {
  const url = URL.parse(text);
  const scheme = url?.protocol === 'https:' ? 'https' : 'http';
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  const path = url?.pathname.replace(/\/+$/, '') ?? '';
  if (!isPlain || url.protocol !== `${scheme}:` || (path !== '' && !/^(?:\/[\w.~-]+)+$/.test(path))) {
    throw new UsageError('--public-url has to be an address such as https://example.org/tracker.');
  }
  return { href: `${scheme}://${url.host}${path}`, host: url.host, hostname: url.hostname, scheme, path };
}
