import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
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
  const bytes = Buffer.from(body);
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

/** Writes a reply. A connection on which a body is still coming is closed after the caller had time to read the reply. */
export async function writeReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  bodyComing: RequestBody | undefined,
): Promise<void> {
  const { body } = reply;
  if (response.headersSent || response.destroyed) {
    if (isFile(body)) body.discard();
    return void response.destroy();
  }
  const length = isFile(body) ? body.size : Buffer.byteLength(body);
  const headers = headersOf(reply, length);
  response.writeHead(reply.status, request.complete ? headers : { ...headers, Connection: 'close' });
  if (isFile(body) && request.method === 'HEAD') {
    body.discard();
    return void response.end();
  }
  if (isFile(body)) return pipeline(body.open(), response);
  if (!bodyComing) return void response.end(body);
  response.write(body);
  await bodyComing.discard();
  response.end();
}

function headersOf({ status, headers }: Reply, length: number | undefined): Prepared['headers'] {
  return {
    'X-Content-Type-Options': 'nosniff',
    ...(status !== 304 && length !== undefined && { 'Content-Length': length }),
    ...headers,
  };
}
