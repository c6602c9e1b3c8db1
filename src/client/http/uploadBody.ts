import { randomBytes } from 'node:crypto';
import { TrackerError } from '../../core/errors.ts';
import type { UploadSource } from '../../core/story/attachment.ts';
import { partHead } from './partHead.ts';
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
