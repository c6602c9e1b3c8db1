import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Refusal } from '../ground/errors.ts';
import type { FileBody } from './reply.ts';
import type { RequestBody } from './requestBody.ts';

const FOLDER = 'transfers';
const NAME = /^[0-9a-f]{32}$/;
const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds in which some bytes have to come. */
const PACE = 60_000;
const LEAST_BYTES_PER_PACE = 16 * 1024;

/** A new name in the folder of files that are there while they come or go. */
export async function spoolPath(dataFolder: string): Promise<string> {
  const folder = join(dataFolder, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, randomBytes(16).toString('hex'));
}

/** Removes what killed processes have left of such files. */
export async function sweepSpooled(dataFolder: string, now: number): Promise<void> {
  const folder = join(dataFolder, FOLDER);
  for (const name of await readdir(folder).catch(() => [])) {
    const found = NAME.test(name) && (await stat(join(folder, name)).catch(() => undefined));
    if (found && now - found.mtimeMs > DAY) await rm(join(folder, name), { force: true });
  }
}

interface Coming {
  readonly request: IncomingMessage;
  readonly body: () => RequestBody;
}

/**
 * Writes the body of a request, at most `limit` bytes, into a file, does the work with it, and removes it. Throws `Refusal` 413, and what the
 * connection has.
 */
export async function withSpooledBody<T>(
  { request, body }: Coming,
  { path, limit }: { readonly path: string; readonly limit: number },
  work: () => Promise<T>,
): Promise<T> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
  const file = await open(path, 'wx', 0o600);
  try {
    try {
      await write(file, request, body(), limit);
    } finally {
      await file.close();
    }
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function write(file: FileHandle, request: IncomingMessage, body: RequestBody, limit: number): Promise<void> {
  let received = 0;
  let before = 0;
  const pace = setInterval(() => {
    if (received - before < LEAST_BYTES_PER_PACE) request.destroy(new Error('The file came too slowly.'));
    before = received;
  }, PACE);
  try {
    for (let bytes = await body.next(); bytes; bytes = await body.next()) {
      received += bytes.length;
      if (received > limit) throw tooLarge(limit);
      await file.writeFile(bytes);
    }
  } finally {
    clearInterval(pace);
  }
}

function tooLarge(limit: number): Refusal {
  return new Refusal(413, `The file is larger than this service accepts (${Math.floor(limit / 1024 / 1024)} MiB).`);
}

/** A body that is read from a file, which goes with it. `end` is done then. */
export function spooledBody(path: string, size: number, end: () => void): FileBody {
  const remove = (): void => {
    end();
    void rm(path, { force: true }).catch(() => undefined);
  };
  return {
    size,
    open: () => createReadStream(path).on('close', remove),
    discard: remove,
  };
}
