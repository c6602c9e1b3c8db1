import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Element } from '../../v3/element.ts';
import { isLong, type LongElement, longDocument } from '../../v3/longDocument.ts';
import { writeDocument } from '../../v3/write.ts';
import { newSlice, rest } from '../slices.ts';

const CHUNK = 64 * 1024;
const COMPRESSION = { level: 4, chunkSize: 256 * 1024 };

const gzipOf = promisify(gzip);

/** A document as bytes. */
export class Answer {
  readonly body: Buffer;
  /** Differs whenever the bytes do. */
  readonly hash: string;
  private compressed: Promise<Buffer> | undefined;
  private _size: number;

  constructor(body: Buffer, hash: string) {
    this.body = body;
    this.hash = hash;
    this._size = body.length;
  }

  /** Bytes that it holds. */
  get size(): number {
    return this._size;
  }

  /** The body compressed, beside the thread, once. */
  gzipped(): Promise<Buffer> {
    this.compressed ??= this.compress();
    return this.compressed;
  }

  private async compress(): Promise<Buffer> {
    const bytes = await gzipOf(this.body, COMPRESSION);
    this._size += bytes.length;
    return bytes;
  }
}

/** Writes a document of whatever length without holding the thread for long. */
export async function writeAnswer(document: Element | LongElement): Promise<Answer> {
  const hash = createHash('sha256');
  const chunks: Buffer[] = [];
  let text = '';
  for (const piece of isLong(document) ? longDocument(document) : [writeDocument(document)]) {
    text += piece;
    if (text.length >= CHUNK) {
      chunks.push(hashed(hash, text));
      text = '';
    }
    await rest();
  }
  chunks.push(hashed(hash, text));
  await newSlice();
  return new Answer(Buffer.concat(chunks), hash.digest('base64url'));
}

function hashed(hash: ReturnType<typeof createHash>, text: string): Buffer {
  const bytes = Buffer.from(text);
  hash.update(bytes);
  return bytes;
}
