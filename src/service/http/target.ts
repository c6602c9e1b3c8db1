import { MAX_PARAMETERS, MAX_QUERY_PARAMETERS } from '../../core/limits.ts';
import { badRequest, notFound } from '../ground/errors.ts';

interface Target {
  /** Below the base path. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** What a target may start with that is sent as to a proxy (RFC 9112, absolute-form). */
const ABSOLUTE = /^https?:\/\/([^/?#]*)(?=[/?]|$)/i;

/** The request target without scheme and host, which have to be those of the Host header. */
export function localTarget(target: string, host: string): string {
  const authority = ABSOLUTE.exec(target);
  if (!authority || authority[1]?.toLowerCase() !== host.toLowerCase()) return target;
  return target.slice(authority[0].length) || '/';
}

/**
 * Takes a request target apart, below the longest of the base paths that it begins with. Doubled
 * slashes in a path are one; queries may hold raw brackets and be empty after the `?` (protocol.md).
 */
export function readTarget(target: string, basePaths: readonly string[]): Target {
  if (!target.startsWith('/')) throw badRequest('The request target must be a path.');
  const mark = target.indexOf('?');
  const path = (mark < 0 ? target : target.slice(0, mark)).replace(/\/{2,}/g, '/');
  const longestFirst = basePaths.toSorted((one, other) => other.length - one.length);
  const basePath = longestFirst.find((each) => path.startsWith(`${each}/`));
  if (basePath === undefined) throw notFound('There is nothing at this address.');
  return { path: path.slice(basePath.length), query: queryParameters(mark < 0 ? '' : target.slice(mark + 1)) };
}

const AMPERSAND = 0x26;
const PLUS = 0x2b;
const SPACE = 0x20;

/** The parameters of a query, given without its question mark. Throws `Refusal` 400 for too many, before any is decoded. */
function queryParameters(query: string): URLSearchParams {
  if (query === '') return new URLSearchParams();
  return withForm(new URLSearchParams(), Buffer.from(query), MAX_QUERY_PARAMETERS);
}

/** The parameters of a query and, behind them, those of a form. Throws `Refusal` 400 for too many, before any is decoded. */
export function withForm(query: URLSearchParams, form: Buffer, most = MAX_PARAMETERS): URLSearchParams {
  const spaced = Buffer.from(form);
  let count = query.size + 1;
  for (let at = 0; at < spaced.length; at += 1) {
    if (spaced[at] === AMPERSAND) count += 1;
    // Each plus would otherwise be one more string to be joined to the value.
    else if (spaced[at] === PLUS) spaced[at] = SPACE;
  }
  if (count > most) {
    throw badRequest(`This request has too many parameters: send at most ${most.toLocaleString('en')}.`);
  }
  return new URLSearchParams([...query, ...new URLSearchParams(spaced.toString('utf8'))]);
}
