import type { IncomingMessage, ServerResponse } from 'node:http';
import { HeldBody, isFile, LONG_BODY, type Reply } from './reply.ts';
import type { RequestBody } from './requestBody.ts';

/** Bytes up to which a body goes out sooner in one text with its head than beside it. */
const SHORT = 8 * 1024;

/** A reply that is written again and again. */
export interface Prepared {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number>>;
  /** A text stands for the bytes of the same numbers. */
  readonly body: string | Buffer | HeldBody;
}

export function prepared(reply: Reply, body: string | Buffer | HeldBody): Prepared {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return {
    status: reply.status,
    headers: headersOf(reply, bytes.length),
    body: Buffer.isBuffer(bytes) && bytes.length <= SHORT ? bytes.toString('latin1') : bytes,
  };
}

/** Writes a reply to a request without a body: a long one no faster than it is read; `onTaken` is told of bytes that were. */
export function writePrepared(
  response: ServerResponse,
  { status, headers, body }: Prepared,
  onTaken: (bytes: number) => void,
): Promise<void> | undefined {
  if (response.headersSent || response.destroyed) return undefined;
  response.writeHead(status, headers);
  if (body instanceof HeldBody) return writeLong(response, body, onTaken);
  response.end(body, 'latin1');
  return undefined;
}

async function writeLong(response: ServerResponse, body: HeldBody, onTaken: Writing['onTaken']): Promise<void> {
  await writeInParts(response, body.parts(), onTaken);
  if (!response.destroyed) response.end();
}

/** How a reply goes out. */
interface Writing {
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
  const length = isFile(body) ? body.size : bytesIn(body);
  const headers = headersOf(reply, length);
  response.writeHead(reply.status, request.complete ? headers : { ...headers, Connection: 'close' });
  if (request.method === 'HEAD') {
    if (isFile(body)) body.discard();
  } else if (isFile(body)) await writeInParts(response, body.open(), onTaken);
  else if (body instanceof HeldBody) await writeInParts(response, body.parts(), onTaken);
  else if (!bodyComing) return void response.end(body);
  else response.write(body);
  await bodyComing?.discard();
  if (!response.destroyed) response.end();
}

/** The same reply, of which a long body is held, so that it can be counted while it is under way. */
export function withHeldBody(reply: Reply): Reply {
  const { body } = reply;
  if (typeof body === 'object' && !Buffer.isBuffer(body)) return reply;
  return body.length > LONG_BODY
    ? { ...reply, body: new HeldBody([Buffer.isBuffer(body) ? body : Buffer.from(body)]) }
    : reply;
}

/** Bytes of a body that is in memory. */
export function bytesIn(body: string | Buffer | HeldBody): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
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
