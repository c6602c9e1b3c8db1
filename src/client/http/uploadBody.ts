import { randomBytes } from 'node:crypto';
import { TrackerError } from '../../core/errors.ts';
import type { UploadSource } from '../../core/story/attachment.ts';
import { bytesPieces, type Contents, openContents } from './uploadContents.ts';

/** A multipart form with one file, as it goes over the wire. */
export interface UploadBody {
  readonly contentType: string;
  /** Of the whole form, in bytes. */
  readonly contentLength: number;
  /** Each piece is good only until the next one is asked for. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Closes the file; may be called again. */
  close(): Promise<void>;
}

const PROGRESS_INTERVAL = 100;

/** Opens the file and frames it. Throws `TrackerError` `input` when it cannot be sent. */
export async function openUploadBody(
  source: UploadSource,
  onProgress: (sent: number, total: number) => void = () => undefined,
): Promise<UploadBody> {
  if (source.filename === '') throw new TrackerError('input', 'An attachment needs a file name.');
  const contents = await openContents(source);
  const boundary = `----story-tracker-${randomBytes(18).toString('hex')}`;
  const head = Buffer.from(partHead(boundary, source.filename));
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    contentLength: head.length + contents.size + tail.length,
    pieces: framed(head, contents, tail, onProgress),
    close: () => contents.close(),
  };
}

async function* framed(
  head: Uint8Array,
  contents: Contents,
  tail: Uint8Array,
  onProgress: (sent: number, total: number) => void,
): AsyncGenerator<Uint8Array> {
  let sent = 0;
  let toldAt = 0;
  try {
    yield* bytesPieces(head);
    for await (const piece of contents.pieces()) {
      yield piece;
      sent += piece.length;
      if (performance.now() - toldAt < PROGRESS_INTERVAL) continue;
      toldAt = performance.now();
      onProgress(sent, contents.size);
    }
    yield tail;
    onProgress(contents.size, contents.size);
  } finally {
    await contents.close();
  }
}

/** The form field of endpoint 5 (api-v3.md). */
const FIELD = 'Filedata';

/** What the plain form of a name cannot carry so that every receiver reads it back. */
const NOT_PLAIN = /["\\\p{Cc}\u2028\u2029]|%(?:22|0d|0a)/iu;

/**
 * The lines above the file in a multipart form. The name is UTF-8 as it is, with `"`, CR and LF as `%22`, `%0D` and `%0A`, which
 * is what browsers send and what receivers of RFC 7578 expect. A name that this would change also goes as `filename*` of
 * RFC 5987, behind the plain one: RFC 7578 (4.2) wants none where the plain one does, and receivers that do not know it pass
 * over it. What is no whole character (half of a surrogate pair) arrives as U+FFFD, as in any UTF-8.
 */
function partHead(boundary: string, filename: string): string {
  const name = filename.toWellFormed();
  const exact = NOT_PLAIN.test(name) ? `; filename*=UTF-8''${extended(name)}` : '';
  return (
    `--${boundary}\r\nContent-Disposition: form-data; name="${FIELD}"; filename="${plain(name)}"${exact}\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n'
  );
}

/** Other control characters have no form at all in there. */
function plain(name: string): string {
  const escaped = name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
  return escaped.replace(/\p{Cc}/gu, '_');
}

function extended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
