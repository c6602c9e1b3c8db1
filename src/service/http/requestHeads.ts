import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { TOKEN_HEADERS } from '../../v3/assumptions.ts';
import type { Sender, TrustedProxies } from './clientAddress.ts';

/** What follows from the headers of a request and the connection that it came over. */
export interface Head {
  readonly rawHeaders: readonly string[];
  readonly sender: Sender;
  /** Equal for equal headers; what they are cannot be told from it. Undefined where a body follows. */
  readonly digest: string | undefined;
}

/** Header lines that a request may have: several times as many as any program sends, proxies on its way included. */
export const MOST_LINES = 100;
/** The same of a head that is worth remembering; of longer ones a thousand connections would hold too much. */
const MOST_REMEMBERED = 64;

/** Programs send the same headers with every request over a connection, so what follows from them is found out once. */
export class RequestHeads {
  private readonly proxies: TrustedProxies;

  constructor(proxies: TrustedProxies) {
    this.proxies = proxies;
  }

  /** `kept` is of the connection that the request came over. */
  of(request: IncomingMessage, kept: { head: Head | undefined }): Head {
    const { rawHeaders } = request;
    const known = kept.head;
    if (known && areEqual(known.rawHeaders, rawHeaders)) return known;
    const sender = this.proxies.senderOf(request);
    const head = { rawHeaders, sender, digest: digestOf(request, sender) };
    kept.head = rawHeaders.length > 2 * MOST_REMEMBERED ? undefined : head;
    return head;
  }
}

export function hasTooManyLines({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  return rawHeaders.length > 2 * MOST_LINES;
}

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { 'content-length': length = '0' } = headers;
  return length !== '0' || headers['transfer-encoding'] !== undefined;
}

const TOKEN_NAMES = TOKEN_HEADERS.map((name) => name.toLowerCase());

/** The token in the documented header, or in the one that existing clients send (protocol.md, Names); empty where there is none. */
export function headerToken(headers: IncomingHttpHeaders): string {
  for (const name of TOKEN_NAMES) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** The token that is sent as OAuth does (RFC 6750); empty where there is none. */
export function bearerToken({ authorization = '' }: IncomingHttpHeaders): string {
  return /^bearer +([\w.~+/-]+=*) *$/i.exec(authorization)?.[1] ?? '';
}

function digestOf(request: IncomingMessage, { isPrivate }: Sender): string | undefined {
  if (hasBody(request)) return undefined;
  return hash('sha256', `${isPrivate}\n${request.rawHeaders.join('\n')}`, 'base64');
}

function areEqual(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false;
  for (let index = 0; index < some.length; index += 1) if (some[index] !== others[index]) return false;
  return true;
}
