import { type FileHandle, open, stat } from 'node:fs/promises';
import type { UploadSource } from '../core/attachment.ts';
import { TrackerError } from '../core/errors.ts';

/** The bytes of an attachment, not read yet. */
export interface Contents {
  readonly size: number;
  /** Each piece is good only until the next one is asked for. */
  pieces(): AsyncIterable<Uint8Array>;
  /** May be called again. */
  close(): Promise<void>;
}

const PIECE = 512 * 1024;

/** Throws `TrackerError` `input` for a folder, a file that is gone or may not be read, and for what is not a file. */
export async function openContents(source: UploadSource): Promise<Contents> {
  if (source.kind === 'bytes') {
    return { size: source.bytes.length, pieces: () => bytesPieces(source.bytes), close: async () => undefined };
  }
  const file = await openFile(source.path, source.filename);
  const { size } = await file.stat();
  return { size, pieces: () => filePieces(file, size, source.filename), close: () => file.close() };
}

async function openFile(path: string, filename: string): Promise<FileHandle> {
  try {
    const facts = await stat(path);
    if (facts.isDirectory()) throw new TrackerError('input', `"${filename}" is a folder. Choose the files in it.`);
    if (!facts.isFile()) throw new TrackerError('input', `"${filename}" is not a file that can be sent.`);
    return await open(path, 'r');
  } catch (error) {
    throw error instanceof TrackerError ? error : unreadable(error, filename);
  }
}

function unreadable(error: unknown, filename: string): TrackerError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const cause = { cause: error };
  if (code === 'ENOENT') return new TrackerError('input', `"${filename}" does not exist any more.`, cause);
  if (code === 'EACCES' || code === 'EPERM') {
    return new TrackerError('input', `You may not read "${filename}". Change its permissions.`, cause);
  }
  return new TrackerError('input', `"${filename}" cannot be read (${code}).`, cause);
}

export async function* bytesPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
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
    `"${filename}" was changed while it was being sent. Attach it again when it is complete.`,
  );
}
