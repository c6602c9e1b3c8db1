import { TrackerError } from '../../core/errors.ts';
import { t } from '../../core/translation.ts';
import { TOKEN_HEADERS } from '../../v3/assumptions.ts';

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const VISIBLE = /^[\x21-\x7e]+$/;
/** Headers that frame or route a request; a token in one of them would break it or go astray. */
const RESERVED = new Set(
  'accept-encoding connection content-length content-type cookie expect host keep-alive te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
);

/** The name of the header that carries the token. Throws `TrackerError` `input`. */
export function checkedTokenHeader(name: string = TOKEN_HEADERS[0]): string {
  if (HEADER_NAME.test(name) && !RESERVED.has(name.toLowerCase())) return name;
  throw new TrackerError(
    'input',
    t('"{0}" is not a valid token header. Change the setting storyTracker.tokenHeader.', name),
  );
}

/** The token, fit for a header. The error does not repeat it. Throws `TrackerError` `input`. */
export function checkedToken(token: string): string {
  const trimmed = token.trim();
  if (VISIBLE.test(trimmed)) return trimmed;
  throw new TrackerError(
    'input',
    t('The API token is empty or contains invalid characters. Copy it again and sign in.'),
  );
}

/** HTTP Basic (protocol.md, `/tokens/active`). Throws `TrackerError` `input`. */
export function basicAuthorization({
  username,
  password,
}: {
  readonly username: string;
  readonly password: string;
}): string {
  if (username.includes(':')) throw new TrackerError('input', t('A username must not contain a colon.'));
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
