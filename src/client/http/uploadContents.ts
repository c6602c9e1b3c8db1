import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { TrackerError } from '../../core/errors.ts';
import { isBelow } from '../../core/ports/outgoingFiles.ts';
import type { UploadSource } from '../../core/story/attachment.ts';

/** The bytes of an attachment, not read yet. */
export interface Contents {
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
  if (facts.isDirectory()) throw new TrackerError('input', `"${filename}" is a folder. Choose the files in it.`);
  if (!facts.isFile()) throw new TrackerError('input', `"${filename}" is not a regular file.`);
}

/** Looked at once the file is open, so that no link can be changed between the look and the reading. */
async function refuseElsewhere(file: FileHandle, { path, filename, within }: FileSource): Promise<void> {
  if (within === undefined || (await isOpenBelow(file, path, within))) return;
  throw new TrackerError('input', `"${filename}" links to a place outside the folder "${basename(within)}".`);
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
  if (code === 'ENOENT') return new TrackerError('input', `"${filename}" no longer exists.`, cause);
  if (code === 'EACCES' || code === 'EPERM') {
    return new TrackerError(
      'input',
      `You do not have permission to read "${filename}". Change its permissions.`,
      cause,
    );
  }
  return new TrackerError('input', `Could not read "${filename}" (${code}).`, cause);
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
    `"${filename}" changed while it was being sent. Attach it again when it is complete.`,
  );
}
