import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { isFile, type Reply } from './reply.ts';

const LINGER_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 2_000;

/** Writes a reply. Connections on which a body is still coming are closed after the caller had time to read the reply. */
export async function writeReply(
  request: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
  isBodyComing: boolean,
): Promise<void> {
  const { body } = reply;
  if (response.headersSent || response.destroyed) {
    if (isFile(body)) body.open().destroy();
    return void response.destroy();
  }
  const length = isFile(body) ? body.size : Buffer.byteLength(body);
  response.writeHead(reply.status, {
    'X-Content-Type-Options': 'nosniff',
    ...(reply.status !== 304 && { 'Content-Length': length }),
    ...reply.headers,
    ...(!request.complete && { Connection: 'close' }),
  });
  if (isFile(body) && request.method === 'HEAD') {
    body.open().destroy();
    return void response.end();
  }
  if (isFile(body)) return pipeline(body.open(), response);
  if (!isBodyComing) return void response.end(body);
  response.write(body);
  await discardRest(request);
  response.end();
}

/** Closing with unread bytes would reset the connection and take the reply with it. */
async function discardRest(request: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    let discarded = 0;
    const timer = setTimeout(resolve, LINGER_MS);
    const done = (): void => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > LINGER_BYTES) done();
    });
    request.on('end', done).on('close', done).on('error', done);
    request.resume();
  });
  if (!request.complete) request.pause();
}
