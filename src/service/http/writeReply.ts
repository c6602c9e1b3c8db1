import type { IncomingMessage, ServerResponse } from 'node:http';
import { LONG_BODY } from './outgoing.ts';
import { isFile, type Reply } from './reply.ts';
import type { RequestBody } from './requestBody.ts';

/** Bytes up to which a body goes out sooner in one text with its head than beside it. */
const SHORT = 8 * 1024;

/** A reply that is written again and again. */
export interface Prepared {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** A text stands for the bytes of the same numbers. */
  readonly body: string | Buffer;
}

export function prepared(reply: Reply, body: string | Buffer): Prepared {
  const bytes = bytesOf(body);
  return {
    status: reply.status,
    headers: headersOf(reply, bytes.length),
    body: bytes.length > SHORT ? bytes : bytes.toString('latin1'),
  };
}

/** Writes a reply to a request without a body. */
export function writePrepared(response: ServerResponse, { status, headers, body }: Prepared): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, headers);
  response.end(body, 'latin1');
}

/** The same for a long one, no faster than it is read; `onTaken` is told of bytes that were. */
export async function writeLongPrepared(
  response: ServerResponse,
  { status, headers, body }: Prepared,
  onTaken: (bytes: number) => void,
): Promise<void> {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, headers);
  await writeInParts(response, partsOf(bytesOf(body)), onTaken);
  if (!response.destroyed) response.end();
}

/** How a reply goes out. */
export interface Writing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** A body that is still coming: its connection is closed after the caller had time to read the reply. */
  readonly bodyComing: RequestBody | undefined;
  /** Told of bytes that were taken from this process. */
  readonly onTaken: (bytes: number) => void;
}

/** Writes a reply, no faster than it is read where it is long. */
export async function writeReply({ request, response, bodyComing, onTaken }: Writing, reply: Reply): Promise<void> {
  const { body } = reply;
  if (response.headersSent || response.destroyed) {
    if (isFile(body)) body.discard();
    return void response.destroy();
  }
  const length = isFile(body) ? body.size : Buffer.byteLength(body);
  const headers = headersOf(reply, length);
  response.writeHead(reply.status, request.complete ? headers : { ...headers, Connection: 'close' });
  if (request.method === 'HEAD') {
    if (isFile(body)) body.discard();
  } else if (isFile(body)) await writeInParts(response, body.open(), onTaken);
  else if (isLong(body)) await writeInParts(response, partsOf(bytesOf(body)), onTaken);
  else if (!bodyComing) return void response.end(body);
  else response.write(body);
  await bodyComing?.discard();
  if (!response.destroyed) response.end();
}

/** Whether a body is long enough to be counted while it is under way. */
export function isLong(body: Reply['body']): body is string | Buffer {
  return !isFile(body) && body.length > LONG_BODY;
}

export function bytesOf(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body;
}

function* partsOf(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += LONG_BODY) yield bytes.subarray(at, at + LONG_BODY);
}

/** One part after the other, each when the one before it was taken. A stream is destroyed when the reader goes away before its end. */
async function writeInParts(
  response: ServerResponse,
  parts: Iterable<Buffer> | AsyncIterable<Buffer>,
  onTaken: Writing['onTaken'],
): Promise<void> {
  for await (const part of parts) {
    if (response.destroyed) return;
    if (!response.write(part)) await taken(response);
    onTaken(part.length);
  }
}

function taken(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });
}

function headersOf({ status, headers }: Reply, length: number | undefined): Prepared['headers'] {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(status !== 304 && length !== undefined && { 'Content-Length': length }),
    ...headers,
  };
}
