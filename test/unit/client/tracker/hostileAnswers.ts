import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** What a server answers: `head`, `unit` so many times, `tail`; in chunks of so many bytes, where that is said. */
export interface Answer {
  readonly head: string;
  readonly unit: string;
  readonly times: number;
  readonly tail: string;
  readonly chunk?: number;
}

const PIECE = 64 * 1024;

let answer: Answer | undefined;

// In a thread of its own, so that what it takes to answer is not taken for what it takes to read.
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { 'content-type': 'application/xml; charset=utf-8', connection: 'close' });
  if (answer) void write(response, answer);
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
parentPort?.on('message', (next: Answer) => {
  answer = next;
  parentPort?.postMessage('taken');
});

async function write(response: ServerResponse, { chunk, ...parts }: Answer): Promise<void> {
  response.on('error', () => undefined);
  response.flushHeaders();
  for (const piece of pieces(parts)) {
    const bytes = chunk === undefined ? piece : chunked(piece, chunk);
    const isTaken = chunk === undefined ? response.write(bytes) : response.socket?.write(bytes);
    if (isTaken === false) await drained(response);
    if (response.destroyed || response.socket?.destroyed !== false) return;
  }
  if (chunk === undefined) response.end();
  else response.socket?.end('0\r\n\r\n');
}

function* pieces({ head, unit, times, tail }: Answer): Generator<Buffer> {
  for (let at = 0; at < head.length; at += PIECE) yield Buffer.from(head.slice(at, at + PIECE));
  const several = Math.max(1, Math.floor(PIECE / Math.max(1, unit.length)));
  for (let left = times; left > 0 && unit !== ''; left -= several)
    yield Buffer.from(unit.repeat(Math.min(several, left)));
  if (tail !== '') yield Buffer.from(tail);
}

/** As Node.js would not write it. */
function chunked(piece: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < piece.length; at += size) {
    const part = piece.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat(parts);
}

function drained({ socket }: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket?.off('drain', done).off('close', done);
      resolve();
    };
    socket?.on('drain', done).on('close', done);
  });
}
