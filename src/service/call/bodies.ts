import { isUtf8 } from 'node:buffer';
import { MAX_FIELDS } from '../../core/limits.ts';
import { underscoredName } from '../../v3/assumptions.ts';
import type { Element } from '../../v3/element.ts';
import { expectRoot } from '../../v3/fields.ts';
import { readFormBody } from '../../v3/formBody.ts';
import { readJsonBody } from '../../v3/jsonBody.ts';
import { readItems } from '../../v3/read.ts';
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
const TEXT_TYPES = /^(?:application\/xml|text\/xml|application\/x-www-form-urlencoded|application\/json)\b/i;

type Asking = Pick<Exchange, 'service' | 'request' | 'body' | 'query'>;

/** The lists of resources that clients send back whole, of which nothing is taken: each item is dropped once it was read. */
const PASSED_OVER: Readonly<Record<string, readonly string[]>> = {
  story: ['attachments/attachment', 'notes/note', 'tasks/task'],
  project: ['integrations/integration', 'memberships/membership'],
};

/**
 * What `read` makes of the element `root` that a request is about: its XML body, or, as existing clients send it, form parameters in the
 * body or the query (protocol.md, Requests real clients send), or JSON. `read` keeps nothing of the element: what was parsed takes several
 * times its bytes and is gone when the request goes on to wait for others. Throws `Refusal`, `XmlError`, and what `read` throws.
 */
export async function readElement<T>(asking: Asking, root: string, read: (element: Element) => T): Promise<T> {
  const bytes = await readBytes(asking);
  return read(looksLikeXml(bytes) ? await xmlElement(asking, bytes, root) : otherElement(asking, bytes, root));
}

/** Without attributes, of which nothing is taken either. */
async function xmlElement(asking: Asking, bytes: Buffer, root: string): Promise<Element> {
  const document = isLatin(asking, bytes) ? LATIN.decode(bytes) : bytes;
  const limits = { elements: MAX_FIELDS, keepsAttributes: false };
  const element = withUnderscores(await readItems([document], PASSED_OVER[root] ?? [], passOver, limits));
  expectRoot(element, root);
  return element;
}

function passOver(): void {}

function otherElement(asking: Asking, bytes: Buffer, root: string): Element {
  const element = looksLikeJson(bytes)
    ? readJsonBody(bytes.toString('utf8'), root)
    : readFormBody(withForm(asking.query, bytes), root);
  if (!element) throw badRequest(`The body must be an XML document with the root "${root}".`);
  return withUnderscores(element);
}

/** What `read` makes of the form parameters of the body and the query together; it keeps nothing else of them, as with an element. */
export async function readParameters<T>(
  asking: Asking,
  read: (parameters: URLSearchParams) => T,
  limit?: number,
): Promise<T> {
  return read(withForm(asking.query, await readBytes(asking, limit)));
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
