import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { messageOf } from '../../core/errors.ts';
import { CHANGED_SINCE_STATUS } from '../../v3/assumptions.ts';
import type { Element } from '../../v3/element.ts';
import { errorListElement, errorMessageElement } from '../../v3/errorList.ts';
import { writeDocument } from '../../v3/write.ts';
import { XmlError } from '../../v3/xmlError.ts';
import { isStoreUnavailable, Refusal } from '../ground/errors.ts';
import type { Validity } from '../memory/leastRecentlyUsed.ts';
import type { Reader, Stamp } from '../store/database.ts';
import { diskTrouble, isBusy } from '../store/sqlite/sqliteErrors.ts';

/** What a handler answers; one place writes it (`writeReply`). */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | HeldBody | FileBody;
  /** Said where the same request gets the same reply while the stamp of the store stands. */
  readonly goodFor?: GoodFor;
}

interface GoodFor extends Validity {
  /** Of the store before it was asked. */
  readonly stamp: Stamp;
  /** It follows from what they see, and from nothing else that changes. */
  readonly reader: Reader;
}

/** Bytes from which a body is held in pieces, and counts among those that are under way. */
export const LONG_BODY = 64 * 1024;

/** A long body in memory. Its pieces find room where one of many megabytes would not, and what they leave is used again. */
export class HeldBody {
  readonly pieces: readonly Buffer[];
  readonly length: number;

  constructor(pieces: readonly Buffer[]) {
    this.pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Its bytes, some at a time. */
  *parts(): Generator<Buffer, void> {
    for (const piece of this.pieces) {
      for (let at = 0; at < piece.length; at += LONG_BODY) yield piece.subarray(at, at + LONG_BODY);
    }
  }
}

/** A body of these pieces: in one where it is short. */
export function bodyOfPieces(pieces: readonly Buffer[]): Buffer | HeldBody {
  const held = new HeldBody(pieces);
  return held.length > LONG_BODY ? held : Buffer.concat(pieces);
}

/** A body that is read while it is sent. Whoever takes the reply opens it and ends what was opened, or discards it. */
export interface FileBody {
  /** Undefined where that is not known before it was read. */
  readonly size: number | undefined;
  readonly open: () => Readable;
  readonly discard: () => void;
  /** Whether others were refused for it a moment ago: who takes too little of it then is cut off. */
  readonly isInTheWay?: () => boolean;
}

const XML = { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'no-store' };

/** Success is 200 for every verb (protocol.md, Endpoints beyond the seven). */
export function xmlReply(body: Reply['body'], status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers: { ...XML, ...headers }, body };
}

export function elementReply(element: Element): Reply {
  return xmlReply(writeDocument(element));
}

/** The same with what this state of it is called, by which its reader can make a change conditional. */
export function taggedReply(element: Element): Reply {
  const document = writeDocument(element);
  return xmlReply(document, 200, { ETag: entityTagOf(document) });
}

/** The same where only a part of what is answered counts: what else there is may change without anyone minding. */
export function partlyTaggedReply(element: Element, counting: Element): Reply {
  return xmlReply(writeDocument(element), 200, { ETag: entityTagOf(writeDocument(counting)) });
}

/** What one state of a resource is called: of its document as it is written. */
function entityTagOf(document: string): string {
  return `"${hash('sha256', document, 'base64url')}"`;
}

/** Whether a caller makes a change depend on how it finds what is to be changed (If-Match). */
export function isConditional({ 'if-match': named }: IncomingHttpHeaders): boolean {
  return named !== undefined && named.trim() !== '*';
}

/**
 * Throws `Refusal` 412 where none of the states that a caller names is this one. Weak tags count too: what stands in front
 * of the service and compresses answers makes them weak, or adds the encoding.
 */
export function requireMatch({ 'if-match': named = '' }: IncomingHttpHeaders, document: string): void {
  const now = entityTagOf(document);
  const isNow = named.split(',').some(
    (tag) =>
      tag
        .trim()
        .replace(/^W\//, '')
        .replace(/[-;]gzip"$/, '"') === now,
  );
  if (!isNow) throw new Refusal(CHANGED_SINCE_STATUS, 'This has been changed elsewhere in the meantime.');
}

export function isFile(body: Reply['body']): body is FileBody {
  return typeof body === 'object' && 'open' in body;
}

/** Ends long work whose caller is gone. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';

  constructor() {
    super('The caller went away.');
  }
}

/** Whether nobody is left to take the answer to a request. */
function isGone({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return socket.destroyed;
}

/** Throws `CallerGone` when nobody is left to take the answer. */
export function requireCaller(request: Pick<IncomingMessage, 'socket'>): void {
  if (isGone(request)) throw new CallerGone();
}

const BUSY = 'Another program is using the data of this service. Nothing was changed. Try again in a moment.';

const DISK = {
  'no room': 'No space is left for the data of this service. Nothing was changed. Try again later.',
  'not writable': 'The service could not read or write its disk. Try again later.',
} as const;

const DENIED_PAGE = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };

/** What the caller is told of an error. Only bugs are 500; their stack goes to the log, never into the reply. */
export function failureReply(error: unknown, log: (message: string) => void): Reply {
  if (error instanceof Refusal) return refusalReply(error);
  if (error instanceof XmlError) return errorsReply(400, [error.message]);
  if (isBusy(error)) return errorsReply(503, [BUSY], { 'Retry-After': '2' });
  if (isStoreUnavailable(error)) {
    if (!error.isTold) log(`${error.message} ${messageOf(error.cause)}`);
    return errorsReply(503, [error.message], { 'Retry-After': error.isTold ? '30' : '2' });
  }
  const disk = diskTrouble(error);
  if (disk) {
    log(`${DISK[disk]} ${messageOf(error)}`);
    return errorsReply(503, [DISK[disk]], { 'Retry-After': '30' });
  }
  log(error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error));
  return errorsReply(500, ['The service failed to handle this request. See its log for details.']);
}

/** In the shapes that clients of v3 know (protocol.md, Proven since). */
function refusalReply({ status, sentences, fields, headers, apiMessage }: Refusal): Reply {
  if (status === 401) return { status, headers: { ...DENIED_PAGE, ...headers }, body: 'Access denied.\n' };
  if (apiMessage === undefined) return errorsReply(status, sentences, headers, fields);
  return xmlReply(writeDocument(errorMessageElement(apiMessage)), status, headers);
}

function errorsReply(
  status: number,
  sentences: readonly string[],
  headers: Readonly<Record<string, string>> = {},
  fields: readonly (string | undefined)[] = [],
): Reply {
  return xmlReply(writeDocument(errorListElement(sentences, fields)), status, headers);
}
