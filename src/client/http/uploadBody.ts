import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { TrackerError } from '../../core/errors.ts';
import { isBelow } from '../../core/ports/outgoingFiles.ts';
import type { UploadSource } from '../../core/story/attachment.ts';
import { t } from '../../core/translation.ts';

/** The bytes of an attachment, not read yet. */
interface Contents {
  readonly size: number;
  /** Each piece is good only until the next one is asked for. */
  pieces(): AsyncIterable<Uint8Array>;
  /** May be called again. */
  close(): Promise<void>;
}

const PIECE = 512 * 1024;

type FileSource = Extract<UploadSource, { readonly kind: 'file' }>;

/**
 * Throws `TrackerError` `input` for a folder, a file that is gone or may not be read, for what is not a file, and for one that
 * lies elsewhere than in the folder of its source.
 */
export async function openContents(source: UploadSource): Promise<Contents> {
  if (source.kind === 'bytes') {
    return { size: source.bytes.length, pieces: () => bytesPieces(source.bytes), close: async () => undefined };
  }
  const file = await openFile(source);
  const { size } = await file.stat();
  return { size, pieces: () => filePieces(file, size, source.filename), close: () => file.close() };
}

async function openFile(source: FileSource): Promise<FileHandle> {
  const { path, filename } = source;
  try {
    refuseOthers(await stat(path), filename);
    // What was a file a moment ago may be a pipe by now, which would be waited for.
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      refuseOthers(await file.stat(), filename);
      await refuseElsewhere(file, source);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw error instanceof TrackerError ? error : unreadable(error, filename);
  }
}

function refuseOthers(facts: { isDirectory(): boolean; isFile(): boolean }, filename: string): void {
  if (facts.isDirectory()) throw new TrackerError('input', t('"{0}" is a folder. Choose the files in it.', filename));
  if (!facts.isFile()) throw new TrackerError('input', t('"{0}" is not a regular file.', filename));
}

/** Looked at once the file is open, so that no link can be changed between the look and the reading. */
async function refuseElsewhere(file: FileHandle, { path, filename, within }: FileSource): Promise<void> {
  if (within === undefined || (await isOpenBelow(file, path, within))) return;
  throw new TrackerError('input', t('"{0}" links to a place outside the folder "{1}".', filename, basename(within)));
}

/** Linux tells where an open file lies; elsewhere the path must still lead to it. */
async function isOpenBelow(file: FileHandle, path: string, folder: string): Promise<boolean> {
  const told = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (told !== undefined) return isBelow(told, folder);
  const real = await realpath(path);
  const [opened, named] = await Promise.all([file.stat({ bigint: true }), stat(real, { bigint: true })]);
  return isBelow(real, folder) && opened.ino === named.ino && opened.dev === named.dev;
}

function unreadable(error: unknown, filename: string): TrackerError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const cause = { cause: error };
  if (code === 'ENOENT') return new TrackerError('input', t('"{0}" no longer exists.', filename), cause);
  if (code === 'EACCES' || code === 'EPERM') {
    return new TrackerError(
      'input',
      t('You do not have permission to read "{0}". Change its permissions.', filename),
      cause,
    );
  }
  return new TrackerError('input', t('Could not read "{0}" ({1}).', filename, code), cause);
}

async function* bytesPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE) yield bytes.subarray(start, start + PIECE);
}

/**
 * Two buffers take turns, so that the next piece is read while this one is sent. The socket is done with a piece when the next
 * one is asked for: a piece fills the socket's buffer, so that the sender waits for it to drain; only the last may be shorter.
 */
async function* filePieces(file: FileHandle, size: number, filename: string): AsyncGenerator<Uint8Array> {
  const buffers = [
    Buffer.allocUnsafeSlow(Math.min(PIECE, size)),
    Buffer.allocUnsafeSlow(Math.min(PIECE, size)),
  ] as const;
  let next = size > 0 ? fill(file, buffers[0], 0, size) : undefined;
  next?.catch(() => undefined);
  for (let start = 0, turn = 1; next; turn = 1 - turn) {
    const piece: Buffer = await next.catch((error) => {
      throw unreadable(error, filename);
    });
    start += piece.length;
    if (piece.length === 0) throw changedFile(filename);
    next = start < size ? fill(file, turn === 1 ? buffers[1] : buffers[0], start, size) : undefined;
    next?.catch(() => undefined);
    yield piece;
  }
  if ((await file.stat()).size !== size) throw changedFile(filename);
}

async function fill(file: FileHandle, buffer: Buffer, start: number, size: number): Promise<Buffer> {
  const wanted = Math.min(buffer.length, size - start);
  let filled = 0;
  while (filled < wanted) {
    const { bytesRead } = await file.read(buffer, filled, wanted - filled, start + filled);
    if (bytesRead === 0) return buffer.subarray(0, 0);
    filled += bytesRead;
  }
  return buffer.subarray(0, wanted);
}

function changedFile(filename: string): TrackerError {
  return new TrackerError(
    'input',
    t('"{0}" changed while it was being sent. Attach it again when it is complete.', filename),
  );
}

/** A file as it goes over the wire, in a multipart form or by itself. */
export interface UploadBody {
  readonly contentType: string;
  /** Of the whole body, in bytes. */
  readonly contentLength: number;
  /** Each piece is good only until the next one is asked for. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Closes the file; may be called again. */
  close(): Promise<void>;
}

const PROGRESS_INTERVAL = 100;

/** A file as a body by itself. Throws as `openContents` does. */
export async function openFileBody(
  path: string,
  onProgress?: (sent: number, total: number) => void,
): Promise<UploadBody> {
  const contents = await openContents({ kind: 'file', path, filename: basename(path) });
  const none = new Uint8Array();
  return {
    contentType: 'application/octet-stream',
    contentLength: contents.size,
    pieces: framed(none, contents, none, onProgress ?? (() => undefined)),
    close: () => contents.close(),
  };
}

/** Opens the file and frames it. Throws `TrackerError` `input` when it cannot be sent. */
export async function openUploadBody(
  source: UploadSource,
  onProgress: (sent: number, total: number) => void = () => undefined,
): Promise<UploadBody> {
  if (source.filename === '') throw new TrackerError('input', t('An attachment needs a file name.'));
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
    if (tail.length > 0) yield tail;
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
