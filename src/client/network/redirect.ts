import { TrackerError } from '../../core/errors.ts';
import { visibleLine } from '../../core/text.ts';
import { t } from '../../core/translation.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 3;

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** One answer that sends a request on. */
interface Redirect {
  readonly method: string;
  readonly request: string;
  readonly status: number;
  readonly from: URL;
  readonly location: string | undefined;
  /** How many were followed before. */
  readonly followed: number;
}

/**
 * Where a read may go on: the same origin, a few times. Everything else is refused, since the token would go along. Throws
 * `TrackerError` `protocol` that names the other origin and nothing more of the address.
 */
export function redirectTarget({ method, request, status, from, location, followed }: Redirect): URL {
  const target = location === undefined ? null : URL.parse(location, from.href);
  const details = { request, status };
  if (!target)
    throw new TrackerError('protocol', t('{0} redirects the request without an address.', from.host), details);
  if (target.origin !== from.origin) {
    throw new TrackerError(
      'protocol',
      t(
        '{0} redirects the request to {1}, which does not get your API token. If that is the right server, sign in with its address.',
        from.host,
        visibleLine(target.origin, 200),
      ),
      details,
    );
  }
  if (method !== 'GET') {
    throw new TrackerError(
      'protocol',
      t('{0} redirects changes to another path. Sign in with the address it redirects to.', from.host),
      details,
    );
  }
  if (followed >= MOST_REDIRECTS)
    throw new TrackerError('protocol', t('{0} redirects the request in a loop.', from.host), details);
  target.username = '';
  target.password = '';
  return target;
}
