import { isUtf8 } from 'node:buffer';
import { badRequest } from '../ground/errors.ts';

type MultipartEvent =
  /** For `readPartHead`, at once: the bytes are others when more is pushed. */
  | { readonly kind: 'part'; readonly head: Buffer }
  | { readonly kind: 'data'; readonly bytes: Buffer }
  | { readonly kind: 'end' };

const MAX_HEAD_BYTES = 16 * 1024;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Finds the parts of a multipart body as it arrives. Bytes of a part are passed on as slices of what came in, so a file
 * costs no copy. Throws `Refusal` 400 for a body that is not multipart.
 */
export class MultipartScanner {
  private readonly delimiter: Buffer;
  /** Bytes not passed on yet, since they may belong to a delimiter. */
  private held: Buffer = Buffer.from('\r\n');
  /** What has come of the head of a part, so many bytes of it. */
  private head: Buffer = Buffer.alloc(0);
  private headLength = 0;
  private state: 'preamble' | 'head' | 'body' | 'done' = 'preamble';

  constructor(boundary: string) {
    this.delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  get done(): boolean {
    return this.state === 'done';
  }

  *push(chunk: Buffer): Generator<MultipartEvent> {
    let rest: Buffer | undefined = chunk;
    while (rest && this.state !== 'done') {
      rest = this.state === 'head' ? yield* this.readHead(rest) : yield* this.readBody(rest);
    }
  }

  /** Passes on bytes up to the next delimiter; gives back what follows it, if it is there. */
  private *readBody(chunk: Buffer): Generator<MultipartEvent, Buffer | undefined> {
    const seam = Buffer.concat([this.held, chunk.subarray(0, this.delimiter.length - 1)]);
    const atSeam = seam.indexOf(this.delimiter);
    if (atSeam >= 0) {
      yield* this.data(seam.subarray(0, atSeam));
      return yield* this.afterDelimiter(chunk.subarray(atSeam + this.delimiter.length - this.held.length));
    }
    if (seam.length < this.held.length + this.delimiter.length - 1) return this.hold(seam, yield* this.allBut(seam));
    yield* this.data(this.held);
    const at = chunk.indexOf(this.delimiter);
    if (at < 0) return this.hold(chunk, yield* this.allBut(chunk));
    yield* this.data(chunk.subarray(0, at));
    return yield* this.afterDelimiter(chunk.subarray(at + this.delimiter.length));
  }

  /** Passes on all that cannot be the start of a delimiter and tells how much that was. */
  private *allBut(bytes: Buffer): Generator<MultipartEvent, number> {
    const safe = Math.max(0, bytes.length - this.delimiter.length + 1);
    yield* this.data(bytes.subarray(0, safe));
    return safe;
  }

  /** A copy, since a slice of what came would keep all of it. */
  private hold(bytes: Buffer, from: number): undefined {
    this.held = Buffer.from(bytes.subarray(from));
  }

  private *data(bytes: Buffer): Generator<MultipartEvent> {
    if (this.state === 'body' && bytes.length > 0) yield { kind: 'data', bytes };
  }

  private *afterDelimiter(rest: Buffer): Generator<MultipartEvent, Buffer> {
    if (this.state === 'body') yield { kind: 'end' };
    this.held = Buffer.alloc(0);
    this.state = 'head';
    return rest;
  }

  /** Gathers a head, however small the pieces are that it comes in; looks at each byte once. */
  private *readHead(chunk: Buffer): Generator<MultipartEvent, Buffer | undefined> {
    const before = this.headLength;
    this.gatherHead(chunk.subarray(0, MAX_HEAD_BYTES + HEAD_END.length - before));
    const bytes = this.head.subarray(0, this.headLength);
    if (bytes.toString('latin1', 0, 2) === '--') {
      this.state = 'done';
      return undefined;
    }
    const end = bytes.indexOf(HEAD_END, Math.max(0, before - HEAD_END.length + 1));
    if (end < 0 && bytes.length < MAX_HEAD_BYTES + HEAD_END.length) return undefined;
    if (end < 0) throw badRequest('The head of a part of the multipart body is too long.');
    yield { kind: 'part', head: bytes.subarray(0, end) };
    this.headLength = 0;
    this.state = 'body';
    return chunk.subarray(end + HEAD_END.length - before);
  }

  private gatherHead(bytes: Buffer): void {
    const length = this.headLength + bytes.length;
    if (length > this.head.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.head.length));
      this.head.copy(larger, 0, 0, this.headLength);
      this.head = larger;
    }
    bytes.copy(this.head, this.headLength);
    this.headLength = length;
  }
}

export interface PartHead {
  /** Name of the form field. */
  readonly name: string | undefined;
  readonly filename: string | undefined;
}

/** The lines above a part's bytes. Names are UTF-8, else Latin-1, as old senders write them. */
export function readPartHead(bytes: Buffer): PartHead {
  const text = isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
  const disposition = /(?:^|\n)content-disposition:[ \t]*form-data([^\r\n]*)/i.exec(text)?.[1] ?? '';
  const parameters = parametersOf(disposition);
  return { name: plain(parameters.get('name')), filename: filename(parameters) };
}

interface Parameter {
  readonly text: string;
  readonly isQuoted: boolean;
}

type Parameters = ReadonlyMap<string, Parameter>;

/** The exact form comes before the plain one, which senders add for those that do not know it (RFC 6266, 4.3). */
function filename(parameters: Parameters): string | undefined {
  return extended(parameters.get('filename*')) ?? plain(parameters.get('filename'));
}

/** A value in the form of RFC 5987, as some senders write names that are not ASCII; undefined when it is not whole. */
function extended(parameter: Parameter | undefined): string | undefined {
  const value = parameter && !parameter.isQuoted ? /^utf-8'[^'\s]*'(\S+)/i.exec(parameter.text)?.[1] : undefined;
  try {
    return value === undefined ? undefined : decodeURIComponent(value);
  } catch {
    return undefined; // Not percent-encoded UTF-8.
  }
}

function plain(parameter: Parameter | undefined): string | undefined {
  if (!parameter) return undefined;
  return parameter.isQuoted ? unescaped(parameter.text) : /^[^"\s]+/.exec(parameter.text)?.[0];
}

const PARAMETER = /;[ \t]*([^;="\s]+)=("?)/g;
const QUOTED_END = /"[ \t]*(?=;|$)/g;

/**
 * The parameters of a line by their names in lower case, the first of each. A quoted value ends at a quote before `;` or the end of the
 * line, since backslashes in names come unescaped; what looks like a parameter inside of quotes belongs to the value.
 */
function parametersOf(line: string): Parameters {
  const found = new Map<string, Parameter>();
  let isOpenToTheEnd = false;
  PARAMETER.lastIndex = 0;
  for (let match = PARAMETER.exec(line); match; match = PARAMETER.exec(line)) {
    const [, name = '', quote = ''] = match;
    const from = PARAMETER.lastIndex;
    const end: number | undefined =
      quote === '' ? endOfBare(line, from) : isOpenToTheEnd ? undefined : endOfQuoted(line, from);
    isOpenToTheEnd ||= end === undefined;
    if (end === undefined) continue;
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, { text: line.slice(from, end), isQuoted: quote !== '' });
    PARAMETER.lastIndex = end;
  }
  return found;
}

function endOfBare(line: string, from: number): number {
  const end = line.indexOf(';', from);
  return end < 0 ? line.length : end;
}

/** Undefined when the quotes are never closed. */
function endOfQuoted(line: string, from: number): number | undefined {
  QUOTED_END.lastIndex = from;
  return QUOTED_END.exec(line)?.index;
}

/** RFC 7578 senders write a quote and line ends in percent form, older ones a backslash before the quote. */
function unescaped(value: string): string {
  return value.replaceAll('\\"', '"').replaceAll('%22', '"').replace(/%0D/gi, '\r').replace(/%0A/gi, '\n');
}
