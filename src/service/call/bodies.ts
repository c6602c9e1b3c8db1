import { isUtf8 } from 'node:buffer';
import { underscoredName } from '../../v3/assumptions.ts';
import type { Element } from '../../v3/element.ts';
import { expectRoot } from '../../v3/fields.ts';
import { readFormBody } from '../../v3/formBody.ts';
import { readJsonBody } from '../../v3/jsonBody.ts';
import { readDocument } from '../../v3/read.ts';
import { badRequest, Refusal } from '../ground/errors.ts';
import { bodyTooLong } from '../http/requestBody.ts';
import { hasBody } from '../http/requestHeads.ts';
import { withForm } from '../http/target.ts';
import type { Exchange } from './exchange.ts';

/** What a client sent, with the names that the document uses. */
function withUnderscores(element: Element): Element {
  const { name, children } = element;
  return { ...element, name: underscoredName(name), children: children.map(withUnderscores) };
}

/** Bytes of a body that is not a file. */
const BODY_LIMIT = 4 * 1024 * 1024;
/** Far more than any request has, and few enough to be held for many requests at once. */
const MAX_ELEMENTS = 10_000;
const TEXT_TYPES = /^(?:application\/xml|text\/xml|application\/x-www-form-urlencoded|application\/json)\b/i;

type Asking = Pick<Exchange, 'service' | 'request' | 'body' | 'query'>;

/**
 * The element `root` that a request is about: its XML body, or, as existing clients send it, form parameters in the body or the
 * query (protocol.md, Requests real clients send), or JSON. Throws `Refusal` and `XmlError`.
 */
export async function readElement(asking: Asking, root: string): Promise<Element> {
  const bytes = await readBytes(asking);
  if (looksLikeXml(bytes)) {
    const document = isLatin(asking, bytes) ? LATIN.decode(bytes) : bytes;
    const element = withUnderscores(await readDocument([document], { elements: MAX_ELEMENTS }));
    expectRoot(element, root);
    return element;
  }
  const element = looksLikeJson(bytes)
    ? readJsonBody(bytes.toString('utf8'), root)
    : readFormBody(withForm(asking.query, bytes), root);
  if (!element) throw badRequest(`The body must be an XML document with the root "${root}".`);
  return withUnderscores(element);
}

/** Form parameters of the body and the query together. */
export async function readParameters(asking: Asking, limit?: number): Promise<URLSearchParams> {
  return withForm(asking.query, await readBytes(asking, limit));
}

/** Senders of old name no type, or the wrong one, so the first character decides between XML and a form. */
function looksLikeXml(bytes: Buffer): boolean {
  return /^(?:\u00EF\u00BB\u00BF)?\s*</.test(bytes.toString('latin1', 0, 64));
}

export function looksLikeJson(bytes: Buffer): boolean {
  return /^\s*\{/.test(bytes.toString('latin1', 0, 64));
}

const LATIN = new TextDecoder('windows-1252');
const LATIN_TYPE = /;\s*charset\s*=\s*"?(?:iso-8859-1|latin-?1|windows-1252|us-ascii)\b/i;

/** Some libraries write in Latin-1 and say so in the head only; some say so and write UTF-8. */
function isLatin({ request }: Pick<Asking, 'request'>, bytes: Buffer): boolean {
  return LATIN_TYPE.test(request.headers['content-type'] ?? '') && !isUtf8(bytes);
}

/** A body of at most `limit` bytes as a whole. Throws `Refusal` 413, 415 and, for a sender that takes too long, 408. */
export async function readBytes({ service, request, body }: Asking, limit = BODY_LIMIT): Promise<Buffer> {
  const type = request.headers['content-type'];
  if (type !== undefined && type !== '' && !TEXT_TYPES.test(type) && !isEmpty(request)) {
    throw new Refusal(415, 'Send the body as application/xml.');
  }
  if (Number(request.headers['content-length'] ?? 0) > limit) throw bodyTooLong();
  return body().read(limit, service.bodyTime, service.bodyRoom);
}

/** Libraries name a type though they send nothing. */
function isEmpty(request: Asking['request']): boolean {
  return request.headers['content-length'] === '0' || !hasBody(request);
}
