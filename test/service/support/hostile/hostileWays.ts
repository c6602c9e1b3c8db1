import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { HeldGreeting } from '../heldGreeting.ts';
import type { HostileRequest } from './assaults.ts';

/** How a request is sent, and its answer read. */
export const ways = [
  'whole',
  'in chunks of a byte',
  'byte by byte',
  'with less than it says',
  'broken off',
  'two hundred at once, unread',
  'read a byte at a time',
  'by many, with half a head',
  'by many, with a piece of heads',
  'by many, with a piece of chunks',
] as const;
export type Way = (typeof ways)[number];

export interface Outcome {
  /** 0 when nothing was answered, or nothing was waited for. */
  readonly status: number;
  /** Of what was answered, from its first byte on. */
  readonly head: string;
  /** Milliseconds until the connection ended. */
  readonly took: number;
}

/** Milliseconds after which a request that is not answered counts as hanging: imports wait for each other, on a busy machine for long. */
export const HANG = 120_000;
const MOST_BY_BYTE = 3_000;
const AT_ONCE = 200;
const MANY = 40;
/** Connections of which each brings what takes milliseconds, whatever else there is. */
const SOME = 15;
const PACE = 100;
/** Bytes that a program reads of a connection in one go. */
const PIECE = 64 * 1024;
const HEAD_SHOWN = 2_000;

/** Sends a request in a way; those that keep a connection busy do so for `hold` milliseconds. */
export async function send(url: string, request: HostileRequest, way: Way, hold: number): Promise<Outcome> {
  const place = new URL(url);
  const begun = performance.now();
  const answered = await answerTo(place, request, way, hold);
  const head = answered.startsWith('HTTP/1.1 100') ? answered.slice(answered.indexOf('\r\n\r\n') + 4) : answered;
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, took: performance.now() - begun };
}

function answerTo(place: URL, request: HostileRequest, way: Way, hold: number): Promise<string> {
  const { body } = request;
  const closing: readonly [string, string] = ['Connection', 'close'];
  switch (way) {
    case 'whole':
      return exchange(place, (socket) => socket.write(wholeOf(place, request, closing)));
    case 'in chunks of a byte': {
      const head = headOf(place, request, closing, ['Transfer-Encoding', 'chunked']);
      return exchange(place, (socket) => {
        socket.write(head);
        socket.write(Buffer.concat([chunksOf(body), Buffer.from('0\r\n\r\n')]));
      });
    }
    case 'byte by byte':
      return exchange(place, (socket) => void trickle(socket, wholeOf(place, request, closing)), hold);
    case 'with less than it says': {
      const head = headOf(place, request, ['Content-Length', String(body.length + 1_000)]);
      return exchange(place, (socket) => socket.write(Buffer.concat([head, body])), hold);
    }
    case 'broken off': {
      const bytes = wholeOf(place, request, closing);
      return exchange(place, (socket) =>
        socket.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => breakOff(socket)),
      );
    }
    case 'two hundred at once, unread': {
      const one = wholeOf(place, request);
      const times = Math.max(1, Math.min(AT_ONCE, Math.floor(20_000_000 / one.length)));
      return held(place, Buffer.concat(Array.from({ length: times }, () => one)), hold, () => undefined);
    }
    case 'read a byte at a time':
      return held(place, wholeOf(place, request, closing), hold, (socket) => void socket.read(1));
    case 'by many, with half a head': {
      const half = headOf(place, request).subarray(0, -2);
      const all = Array.from({ length: MANY }, () => held(place, half, hold, () => undefined));
      return Promise.all(all).then(() => '');
    }
    case 'by many, with a piece of heads': {
      const { method, path } = request;
      const shortest = path.length > PIECE / 4 ? `${method} / HTTP/1.1\r\n\r\n` : `${method} ${path} HTTP/1.1\r\n\r\n`;
      const piece = Buffer.from(shortest.repeat(Math.floor(PIECE / shortest.length)), 'latin1');
      return Promise.all(Array.from({ length: MANY }, () => held(place, piece, hold, () => undefined))).then(() => '');
    }
    case 'by many, with a piece of chunks': {
      const head = headOf(place, request, ['Transfer-Encoding', 'chunked']);
      const room = Math.max(0, PIECE - head.length);
      const piece = Buffer.concat([head, chunksOf(Buffer.alloc(Math.floor(room / 6), 'a'))]);
      if (place.protocol === 'https:') return endGreetings(place, piece, hold);
      return Promise.all(Array.from({ length: SOME }, () => held(place, piece, hold, () => undefined))).then(() => '');
    }
  }
}

function opened(place: URL): Socket {
  const [port, host] = [Number(place.port), place.hostname];
  return place.protocol === 'https:' ? connectTls({ port, host, rejectUnauthorized: false }) : connect(port, host);
}

function breakOff(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Sends the same over many connections, over each together with the last message of the greeting of TLS. */
async function endGreetings(place: URL, bytes: Buffer, hold: number): Promise<string> {
  const all = Array.from({ length: SOME }, () => HeldGreeting.open(place.href, bytes).catch(() => undefined));
  const greetings = await Promise.all(all);
  for (const one of greetings) one?.release();
  await wait(hold);
  for (const one of greetings) one?.close();
  return '';
}

type Header = readonly [string, string];

function headOf(place: URL, { method, path, headers }: HostileRequest, ...more: readonly Header[]): Buffer {
  const all: Header[] = [...more];
  for (const [name, value] of [...headers, ['host', place.host] as const]) {
    if (!all.some(([known]) => known.toLowerCase() === name.toLowerCase())) all.push([name, value]);
  }
  const lines = [`${method} ${path} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
}

function wholeOf(place: URL, request: HostileRequest, ...more: readonly Header[]): Buffer {
  const { body, headers } = request;
  const isSaid = headers.some(([name]) => name === 'content-length');
  const length: readonly Header[] = isSaid ? [] : [['Content-Length', String(body.length)]];
  return Buffer.concat([headOf(place, request, ...more, ...length), body]);
}

function chunksOf(body: Buffer): Buffer {
  const chunks = Buffer.alloc(body.length * 6);
  for (let index = 0; index < body.length; index += 1) {
    chunks.write('1\r\n', index * 6, 'latin1');
    chunks[index * 6 + 3] = body[index] ?? 0;
    chunks.write('\r\n', index * 6 + 4, 'latin1');
  }
  return chunks;
}

/** All that comes back until the connection ends, or for so long. Throws when that takes too long. */
function exchange(place: URL, start: (socket: Socket) => unknown, patience?: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = opened(place);
    let head = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(head);
    };
    const giveUp = (): void => {
      if (patience === undefined && head === '') reject(new Error(`no answer within ${HANG} ms`));
      end();
    };
    const timer = setTimeout(giveUp, patience ?? HANG);
    socket.on('data', (chunk: Buffer) => {
      if (head.length < HEAD_SHOWN) head += chunk.toString('latin1', 0, HEAD_SHOWN);
    });
    socket.on('close', end).on('error', end);
    socket.on('connect', () => start(socket));
  });
}

/** Sends and reads as it is told to, for so long and no longer. */
async function held(place: URL, bytes: Buffer, hold: number, read: (socket: Socket) => void): Promise<string> {
  const socket = opened(place);
  socket.on('error', () => undefined).pause();
  socket.write(bytes);
  for (let passed = 0; passed < hold; passed += PACE) {
    await wait(PACE);
    read(socket);
  }
  socket.destroy();
  return '';
}

async function trickle(socket: Socket, bytes: Buffer): Promise<void> {
  socket.setNoDelay(true);
  for (const byte of bytes.subarray(0, MOST_BY_BYTE)) {
    if (socket.destroyed) return;
    socket.write(Buffer.of(byte));
    await nextTurn();
  }
  socket.write(bytes.subarray(MOST_BY_BYTE));
}
