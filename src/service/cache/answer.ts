import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { Element } from '../../v3/element.ts';
import { type ComingElement, isLong, type LongElement, longDocument } from '../../v3/longDocument.ts';
import { writeDocument } from '../../v3/write.ts';
import { newSlice, rest } from '../ground/slices.ts';
import { bodyOfPieces, HeldBody } from '../http/reply.ts';

const CHUNK = 64 * 1024;
const COMPRESSION = { level: 4, chunkSize: CHUNK };

const gzipOf = promisify(gzip);

/** A document as bytes. */
export class Answer {
  readonly body: Buffer | HeldBody;
  /** Differs whenever the bytes do. */
  readonly hash: string;
  private compressed: Promise<Buffer | HeldBody> | undefined;
  private _size: number;

  constructor(body: Buffer | HeldBody, hash: string) {
    this.body = body;
    this.hash = hash;
    this._size = body.length;
  }

  /** Bytes that it holds. */
  get size(): number {
    return this._size;
  }

  /** Whether the compressed body is there, or will be soon. */
  get isCompressed(): boolean {
    return this.compressed !== undefined;
  }

  /** The body compressed, beside the thread, once. */
  gzipped(): Promise<Buffer | HeldBody> {
    this.compressed ??= this.compress();
    return this.compressed;
  }

  private async compress(): Promise<Buffer | HeldBody> {
    const { body } = this;
    const compressed = body instanceof HeldBody ? await compressedPieces(body) : await gzipOf(body, COMPRESSION);
    this._size += compressed.length;
    return compressed;
  }
}

async function compressedPieces({ pieces }: HeldBody): Promise<Buffer | HeldBody> {
  const compressed: Buffer[] = [];
  await pipeline(Readable.from(pieces), createGzip(COMPRESSION), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) compressed.push(chunk);
  });
  return bodyOfPieces(compressed);
}

/** Bytes of an answer that is still held as a whole; a longer one is sent as it is written. */
const LONGEST = 16 * 1024 * 1024;
/** The same of one that must be read anyway while it is written: most of those are far longer. */
const LONGEST_READ = 2 * 1024 * 1024;

export type Document = Element | LongElement | ComingElement;

/** Writes a document without holding the thread for long; undefined when it becomes too long to be held. */
export async function writeAnswer(document: Document): Promise<Answer | undefined> {
  const longest = 'next' in document ? LONGEST_READ : LONGEST;
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of writtenChunks(document)) {
    hash.update(chunk);
    chunks.push(chunk);
    size += chunk.length;
    if (size > longest) return undefined;
  }
  await newSlice();
  return new Answer(bodyOfPieces(chunks), hash.digest('base64url'));
}

/** A document of whatever length in pieces of some size, each written when it is asked for. */
export async function* writtenChunks(document: Document): AsyncGenerator<Buffer, void> {
  const pieces = isLong(document) ? longDocument(document) : [writeDocument(document)].values();
  const isComing = 'next' in document;
  let text = '';
  for (;;) {
    if (isComing) await document.next();
    const { value, done } = pieces.next();
    if (done) break;
    text += value;
    if (text.length >= CHUNK) {
      yield Buffer.from(text);
      text = '';
    }
    await rest();
  }
  yield Buffer.from(text);
}
