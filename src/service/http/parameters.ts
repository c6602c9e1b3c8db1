import { MAX_PARAMETERS } from '../../core/limits.ts';
import { badRequest } from '../ground/errors.ts';

const AMPERSAND = 0x26;
const PLUS = 0x2b;
const SPACE = 0x20;

/** The parameters of a query, given without its question mark. Throws `Refusal` 400 for too many, before any is decoded. */
export function queryParameters(query: string): URLSearchParams {
  return withForm(new URLSearchParams(), Buffer.from(query));
}

/** The parameters of a query and, behind them, those of a form. Throws `Refusal` 400 for too many, before any is decoded. */
export function withForm(query: URLSearchParams, form: Buffer): URLSearchParams {
  const spaced = Buffer.from(form);
  let count = query.size + 1;
  for (let at = 0; at < spaced.length; at += 1) {
    if (spaced[at] === AMPERSAND) count += 1;
    // Each plus would otherwise be one more string to be joined to the value.
    else if (spaced[at] === PLUS) spaced[at] = SPACE;
  }
  if (count > MAX_PARAMETERS) {
    throw badRequest(`This request has too many parameters: send at most ${MAX_PARAMETERS.toLocaleString('en')}.`);
  }
  return new URLSearchParams([...query, ...new URLSearchParams(spaced.toString('utf8'))]);
}
