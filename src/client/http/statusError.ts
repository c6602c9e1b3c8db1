import { type FieldError, TrackerError, type TrackerErrorKind } from '../../core/errors.ts';
import { visibleLine } from '../../core/text.ts';
import { t } from '../../core/translation.ts';
import { CHANGED_SINCE_STATUS } from '../../v3/assumptions.ts';

/** Characters of a server's own sentences that a message has room for. */
const LONGEST_SAID = 500;

/** Fields of which a server's words are kept. */
const MOST_FIELDS = 100;

/** What the server answered instead of success. */
interface Refusal {
  readonly request: string;
  readonly host: string;
  readonly status: number;
  /** The server's own words; none when it gave none that we can read. */
  readonly sentences: readonly string[];
  /** Those of them that are about one field. */
  readonly fields?: readonly FieldError[];
  readonly retryAfter: number | undefined;
}

/** The error of a status that is not success. The server's own sentences come first where it has any. */
export function statusError(refusal: Refusal): TrackerError {
  const { request, status, retryAfter, fields = [] } = refusal;
  const details = {
    ...{ request, status, fields: fields.slice(0, MOST_FIELDS).map(shownField) },
    ...(retryAfter !== undefined && { retryAfter }),
  };
  return new TrackerError(kindOf(status), messageFor(refusal), details);
}

function shownField({ field, sentence }: FieldError): FieldError {
  return { field: visibleLine(field, 100), sentence: visibleLine(sentence, LONGEST_SAID) };
}

/** Whether a web server in front of the service answers itself, for want of a client certificate that it accepts. */
export function isRefusedCertificate(status: number, said: Uint8Array): boolean {
  const words = /No required SSL certificate was sent|The SSL certificate error/i;
  return status === 400 && words.test(Buffer.from(said).toString('latin1'));
}

/** The service has not seen the request, so the change that it makes may wait. */
export function certificateError({
  request,
  status,
  host,
}: Pick<Refusal, 'request' | 'status' | 'host'>): TrackerError {
  const message = t(
    '{0} requires a client certificate that it accepts. Set its files in storyTracker.clientCertificates.',
    host,
  );
  return new TrackerError('unreachable', message, { request, status });
}

function kindOf(status: number): TrackerErrorKind {
  const known = KINDS[status];
  if (known) return known;
  if (status >= 500) return 'server';
  return status >= 400 ? 'refused' : 'protocol';
}

const KINDS: Readonly<Record<number, TrackerErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notFound',
  405: 'protocol',
  407: 'unreachable',
  408: 'timeout',
  410: 'notFound',
  [CHANGED_SINCE_STATUS]: 'conflict',
  413: 'tooLarge',
  415: 'protocol',
  429: 'busy',
  503: 'busy',
};

function messageFor(refusal: Refusal): string {
  const { status, host, retryAfter } = refusal;
  const said = visibleLine(refusal.sentences.filter(tellsMore).join(' '), LONGEST_SAID);
  if (status === 401)
    return t(
      '{0} Sign in again with a token that is valid there.',
      said || t('{0} does not accept the API token.', host),
    );
  if (status === 429 || status === 503) return busyText(said || t('{0} is busy.', host), retryAfter);
  return said || (MESSAGES[status] ?? fallback)(host, status);
}

/** What servers say of every 404 and 401 helps nobody on (protocol.md, Proven since). */
function tellsMore(sentence: string): boolean {
  return !/^(?:HTTP Basic: )?(?:resource not found|access denied)\.?$/i.test(sentence.trim());
}

const MESSAGES: Readonly<Record<number, (host: string, status: number) => string>> = {
  400: (host) => t('{0} did not understand the request. Does it offer API version 3?', host),
  403: (host) => t('{0} does not allow this with your role. Ask an owner of the project.', host),
  404: (host) =>
    t('{0} does not have this, or it is in a project you do not belong to. Refresh and check the address.', host),
  405: (host) => t('{0} does not offer this. Check the address of the server.', host),
  407: () => t('The proxy requires a username and password. Set them in the proxy settings of VS Code.'),
  408: (host) => t('The request took too long to reach {0}. Try again.', host),
  410: (host) => t('{0} no longer offers this. Check the address of the server.', host),
  [CHANGED_SINCE_STATUS]: () => t('This has been changed elsewhere in the meantime.'),
  413: (host) => t('This is too large for {0}. Send something smaller, or ask for a higher limit.', host),
  422: (host) => t('{0} refused the change without a reason. Check what you entered.', host),
};

function fallback(host: string, status: number): string {
  if (status >= 500) return t('{0} failed with status {1}. Try again, or check its log for details.', host, status);
  return status >= 400
    ? t('{0} refused this with status {1}.', host, status)
    : t(
        '{0} answered with status {1}, which is not an answer of API version 3. Check the address of the server.',
        host,
        status,
      );
}

function busyText(said: string, wait: number | undefined): string {
  return wait === undefined
    ? t('{0} Try again in a moment.', said)
    : t('{0} Try again in {1} s.', said, Math.max(1, Math.ceil(wait / 1000)));
}
