import { badRequest } from '../refusal.ts';
import { type PartHead, readPartHead } from './partHead.ts';

export type MultipartEvent =
  | { readonly kind: 'part'; readonly head: PartHead }
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
  /** Bytes not passed on yet, since they may belong to a delimiter or a head. */
  private held: Buffer = Buffer.from('\r\n');
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

  private hold(bytes: Buffer, from: number): undefined {
    this.held = bytes.subarray(from);
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

  private *readHead(chunk: Buffer): Generator<MultipartEvent, Buffer | undefined> {
    const bytes = Buffer.concat([this.held, chunk]);
    if (bytes.subarray(0, 2).toString('latin1') === '--') {
      this.state = 'done';
      return undefined;
    }
    const end = bytes.indexOf(HEAD_END);
    if (end > MAX_HEAD_BYTES || (end < 0 && bytes.length > MAX_HEAD_BYTES)) {
      throw badRequest('The head of a part of the multipart body is too long.');
    }
    if (end < 0) return this.hold(bytes, 0);
    yield { kind: 'part', head: readPartHead(bytes.subarray(0, end)) };
    this.held = Buffer.alloc(0);
    this.state = 'body';
    return bytes.subarray(end + HEAD_END.length);
  }
}
