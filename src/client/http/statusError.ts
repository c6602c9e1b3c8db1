import { TrackerError, type TrackerErrorKind } from '../../core/errors.ts';
import { visibleLine } from '../../core/shownText.ts';
import { CHANGED_SINCE_STATUS } from '../../v3/assumptions.ts';

/** Characters of a server's own sentences that a message has room for. */
const LONGEST_SAID = 500;

/** What the server answered instead of success. */
interface Refusal {
  readonly request: string;
  readonly host: string;
  readonly status: number;
  /** The server's own words; none when it gave none that we can read. */
  readonly sentences: readonly string[];
  readonly retryAfter: number | undefined;
}

/** The error of a status that is not success. The server's own sentences come first where it has any. */
export function statusError(refusal: Refusal): TrackerError {
  const { request, status, retryAfter } = refusal;
  const details = retryAfter === undefined ? { request, status } : { request, status, retryAfter };
  return new TrackerError(kindOf(status), messageFor(refusal), details);
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
  const message = `${host} requires a client certificate that it accepts. Set its files in storyTracker.clientCertificates.`;
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
    return `${said || `${host} does not accept the API token.`} Sign in again with a token that is valid there.`;
  if (status === 429 || status === 503) return `${said || `${host} is busy.`} Try again ${whenAgain(retryAfter)}.`;
  return said || (MESSAGES[status] ?? fallback)(host, status);
}

/** What servers say of every 404 and 401 helps nobody on (protocol.md, Proven since). */
function tellsMore(sentence: string): boolean {
  return !/^(?:HTTP Basic: )?(?:resource not found|access denied)\.?$/i.test(sentence.trim());
}

const MESSAGES: Readonly<Record<number, (host: string, status: number) => string>> = {
  400: (host) => `${host} did not understand the request. Does it offer API version 3?`,
  403: (host) => `${host} does not allow this with your role. Ask an owner of the project.`,
  404: (host) =>
    `${host} does not have this, or it is in a project you do not belong to. Refresh and check the address.`,
  405: (host) => `${host} does not offer this. Check the address of the server.`,
  407: () => 'The proxy requires a username and password. Set them in the proxy settings of VS Code.',
  408: (host) => `The request took too long to reach ${host}. Try again.`,
  410: (host) => `${host} no longer offers this. Check the address of the server.`,
  [CHANGED_SINCE_STATUS]: () => 'This has been changed elsewhere in the meantime.',
  413: (host) => `This is too large for ${host}. Send something smaller, or ask for a higher limit.`,
  422: (host) => `${host} refused the change without a reason. Check what you entered.`,
};

function fallback(host: string, status: number): string {
  if (status >= 500) return `${host} failed with status ${status}. Try again, or check its log for details.`;
  return status >= 400
    ? `${host} refused this with status ${status}.`
    : `${host} answered with status ${status}, which is not an answer of API version 3. Check the address of the server.`;
}

function whenAgain(milliseconds: number | undefined): string {
  return milliseconds === undefined ? 'in a moment' : `in ${Math.max(1, Math.ceil(milliseconds / 1000))} s`;
}
