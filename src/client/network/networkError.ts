import { TrackerError, type TrackerErrorKind } from '../../core/errors.ts';
import { t } from '../../core/translation.ts';

/** `after`: how long the server was waited for, where that is known. */
type Sentence = (host: string, code: string, after: string | undefined) => string;
type Explanation = readonly [kind: TrackerErrorKind, sentence: Sentence];

const nothingAnswers: Explanation = [
  'unreachable',
  (host) => t('Nothing answers at {0}. Check that the server is running there.', host),
];
const unknownName: Explanation = [
  'unreachable',
  (host) => t('Could not find the name {0}. Check the address and the network.', host),
];
const noWay: Explanation = [
  'unreachable',
  (host) => t('Could not find a route to {0}. Check the network, the VPN and the proxy.', host),
];
const cutOff: Explanation = ['unreachable', (host) => t('The connection to {0} was interrupted. Try again.', host)];
const untrusted: Explanation = [
  'unreachable',
  (host, code) =>
    t(
      'The certificate of {0} is not trusted ({1}). Add its authority with the setting storyTracker.extraCertificates.',
      host,
      code,
    ),
];
const expired: Explanation = [
  'unreachable',
  (host, code) =>
    t(
      'The certificate of {0} is not valid now ({1}). Ask its operator to renew it, and check the clock of this machine.',
      host,
      code,
    ),
];
const otherName: Explanation = [
  'unreachable',
  (host) => t('The certificate of {0} is for another name. Use the name it was issued for.', host),
];
const certificateWanted: Explanation = [
  'unreachable',
  (host, code) =>
    t('{0} requires a client certificate ({1}). Set its files in storyTracker.clientCertificates.', host, code),
];
const certificateRefused: Explanation = [
  'unreachable',
  (host, code) =>
    t('{0} does not accept the client certificate ({1}). Check it in storyTracker.clientCertificates.', host, code),
];
const handshakeRefused: Explanation = [
  'unreachable',
  (host, code) =>
    t(
      '{0} refuses the TLS connection ({1}). If it requires a client certificate, set its files in storyTracker.clientCertificates.',
      host,
      code,
    ),
];
const noTls: Explanation = [
  'protocol',
  (host) => t('{0} does not speak TLS on this port. Check whether its address starts with http://.', host),
];
const noHttp: Explanation = [
  'protocol',
  (host) => t('{0} does not speak HTTP on this port. Check the address and port.', host),
];

const slow: Explanation = [
  'timeout',
  (host, _code, after) =>
    after === undefined
      ? t('{0} did not answer in time. Check that it is reachable from here and try again.', host)
      : t('{0} did not answer in time ({1}). Check that it is reachable from here and try again.', host, after),
];

const EXPLANATIONS: Readonly<Record<string, Explanation>> = {
  ECONNREFUSED: nothingAnswers,
  ENOTFOUND: unknownName,
  EAI_AGAIN: unknownName,
  EHOSTUNREACH: noWay,
  ENETUNREACH: noWay,
  ECONNRESET: cutOff,
  EPIPE: cutOff,
  UND_ERR_SOCKET: cutOff,
  UND_ERR_CLOSED: cutOff,
  UND_ERR_DESTROYED: cutOff,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: cutOff,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_REJECTED: untrusted,
  CERT_REVOKED: untrusted,
  CERT_CHAIN_TOO_LONG: untrusted,
  CERT_SIGNATURE_FAILURE: untrusted,
  INVALID_CA: untrusted,
  INVALID_PURPOSE: untrusted,
  CERT_HAS_EXPIRED: expired,
  CERT_NOT_YET_VALID: expired,
  ERR_TLS_CERT_ALTNAME_INVALID: otherName,
  HOSTNAME_MISMATCH: otherName,
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  EPROTO: noTls,
  ETIMEDOUT: slow,
  UND_ERR_CONNECT_TIMEOUT: slow,
  UND_ERR_HEADERS_TIMEOUT: slow,
  UND_ERR_BODY_TIMEOUT: slow,
  UND_ERR_HEADERS_OVERFLOW: noHttp,
  HPE_INVALID_EOF_STATE: cutOff,
};

/** What servers say of the certificate that they were shown, or were not. The words differ between TLS libraries and versions. */
const ALERTS: readonly (readonly [code: RegExp, Explanation])[] = [
  [/ALERT_CERTIFICATE_REQUIRED$/, certificateWanted],
  [
    /ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|DECRYPT_ERROR|ACCESS_DENIED|(UNSUPPORTED_)?CERTIFICATE(_(EXPIRED|REVOKED|UNKNOWN))?)$/,
    certificateRefused,
  ],
  [/ALERT_HANDSHAKE_FAILURE$/, handshakeRefused],
];

function explanationOf(code: string): Explanation | undefined {
  const known = EXPLANATIONS[code] ?? ALERTS.find(([words]) => words.test(code))?.[1];
  return known ?? (code.startsWith('HPE_') ? noHttp : undefined);
}

/** Whether a server has ended a connection for the certificate that it was shown, or was not. */
export function isAboutCertificate(error: unknown): boolean {
  return ALERTS.some(([words]) => words.test(codeOf(error)));
}

const NOBODY_TRUSTED = [untrusted, expired, otherName, certificateWanted, certificateRefused, handshakeRefused];
const LASTING: ReadonlySet<Explanation> = new Set([unknownName, ...NOBODY_TRUSTED]);

/** How long something took, for a person. */
export function secondsOf(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000));
  return seconds === 1 ? t('1 second') : t('{0} seconds', seconds);
}

/** The error for what the network or the HTTP library threw; `host` is host and port, `after` how many milliseconds it took. */
export function networkError(error: unknown, request: string, host: string, after?: number): TrackerError {
  const code = codeOf(error);
  const explanation = explanationOf(code);
  const [kind, sentence] = explanation ?? [
    'unreachable',
    () => t('Could not reach {0} ({1}).', host, code || t('unknown cause')),
  ];
  return new TrackerError(kind, sentence(host, code, after === undefined ? undefined : secondsOf(after)), {
    request,
    cause: plainCause(error, code),
  });
}

/** Whether a connection just ended, for whatever reason. */
export function isCutOff(error: unknown): boolean {
  return explanationOf(codeOf(error)) === cutOff;
}

/** Whether trying again is of no use: a name that nobody knows, a certificate that is not believed, by whichever side. */
export function isLasting({ cause }: TrackerError): boolean {
  const explanation = explanationOf(codeOf(cause));
  return explanation !== undefined && LASTING.has(explanation);
}

/** Codes of connections that did not come about; others may also end one that did. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/** Whether nothing of the request has left: there was no connection yet, or nobody trusted at its other end. */
export function hasNeverLeft({ cause }: TrackerError): boolean {
  const code = codeOf(cause);
  return NO_CONNECTION.has(code) || NOBODY_TRUSTED.some((one) => explanationOf(code) === one);
}

/** The code that Node.js or the HTTP library gave an error or its cause; empty when it gave none. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error.name === 'HTTPParserError') return 'HPE_INVALID';
  return error.cause === undefined ? '' : codeOf(error.cause);
}

/** Name, code and message only: errors of libraries may carry whatever was sent. */
function plainCause(error: unknown, code: string): Error {
  const cause = new Error(error instanceof Error ? error.message : 'unknown cause');
  return Object.assign(cause, { code });
}
