import { IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Head } from './requestHeads.ts';

/** A request that came before the one before it was answered. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Bytes. */
  readonly weight: number;
}

/** Bytes of what may wait on one connection, and on all together; who sends more is cut off. */
const MOST_OF_ONE = 2 * 1024 * 1024;
const MOST_OF_ALL = 8 * 1024 * 1024;
/** Bytes of what waits on a connection that is not the one cut off when all together are too many. */
const FAIR = 32 * 1024;
/** Bytes that a request takes besides its texts, and that each of its texts does. */
const REQUEST_BYTES = 8 * 1024;
const TEXT_BYTES = 32;

/**
 * A request that is not read where its connection takes no more answers. Node reads a whole piece of what came before it looks at anything
 * else, and in one of 64 KiB there is room for thousands of requests. Where one asks for another protocol it reads no further, and closes
 * the connection when nobody speaks that. Requests that really ask for one are answered like others, since this service speaks no other.
 */
export class HeardRequest extends IncomingMessage {
  get upgrade(): boolean {
    return !this.socket.writable;
  }

  set upgrade(_) {
    // What was asked for does not matter.
  }
}

/** What came over one connection: its requests are answered one after the other, and nothing is read in the meantime. */
export class Connection {
  /** What followed from the headers of the request before, for a request that has the same. */
  head: Head | undefined;
  private readonly socket: Socket;
  private readonly all: Connections;
  private isBusy = false;
  private isBodyAhead = false;
  private waiting: Waiting[] = [];
  /** Bytes of what waits. */
  private _weight = 0;

  constructor(socket: Socket, all: Connections) {
    this.socket = socket;
    this.all = all;
    socket.once('close', () => {
      this.waiting = [];
      this.grow(-this._weight);
    });
    // Node resumes connections by itself, when a request was read or its answer has gone out.
    socket.on('resume', () => {
      if (this.isHeld) socket.pause();
    });
  }

  get weight(): number {
    return this._weight;
  }

  /** Whether a request may be answered now; if not, `next` gives it when its turn has come. */
  begins(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.isBusy) {
      this.isBusy = true;
      return true;
    }
    const weight = weightOf(request);
    this.waiting.push({ request, response, weight });
    this.grow(weight);
    if (this._weight > MOST_OF_ONE) this.cutOff();
    else if (!this.socket.isPaused()) this.socket.pause();
    return false;
  }

  /** The request to be answered when an answer has gone out, if there is one. */
  next(): Waiting | undefined {
    if (!this.socket.writable) this.waiting = [];
    const next = this.waiting.shift();
    this.isBusy = next !== undefined;
    if (next === undefined) return undefined;
    this.grow(-next.weight);
    if (!this.isHeld) this.socket.resume();
    return next;
  }

  /** Answers a request that is not even looked at, and reads nothing more; where others are to be answered before it, none is. */
  refuse(response: ServerResponse, write: () => void): void {
    if (this.isBusy) this.cutOff();
    else {
      response.on('error', () => undefined);
      write();
      this.socket.destroySoon();
    }
  }

  /** Reads and answers nothing more. What waited takes memory until the connection is closed, for which all that came in this turn are read first. */
  cutOff(): void {
    this.socket.destroy();
    this.waiting = [];
  }

  get isCutOff(): boolean {
    return this.socket.destroyed;
  }

  /** Told of a body whether more of it has come than is being read. */
  holdBody(isAhead: boolean): void {
    if (this.isBodyAhead === isAhead) return;
    this.isBodyAhead = isAhead;
    if (isAhead) this.socket.pause();
    else if (!this.isHeld) this.socket.resume();
  }

  private get isHeld(): boolean {
    return this.isBodyAhead || this.waiting.length > 0;
  }

  private grow(bytes: number): void {
    this._weight += bytes;
    this.all.note(this, bytes);
  }
}

/** All that are open, found by what their requests came over. */
export class Connections {
  private readonly known = new WeakMap<Socket, Connection>();
  /** Those on which requests wait. */
  private readonly waiting = new Set<Connection>();
  private weight = 0;

  of(socket: Socket): Connection {
    const known = this.known.get(socket);
    if (known) return known;
    const connection = new Connection(socket, this);
    this.known.set(socket, connection);
    return connection;
  }

  /** What waits on a connection grew by so many bytes. Where it is too much in all, whoever has the most of it is cut off, or who came now with many. */
  note(connection: Connection, growth: number): void {
    this.weight += growth;
    if (connection.weight > 0) this.waiting.add(connection);
    else this.waiting.delete(connection);
    if (growth <= 0 || this.weight <= MOST_OF_ALL) return;
    if (connection.weight > FAIR) connection.cutOff();
    else heaviestOf(this.waiting)?.cutOff();
  }
}

function heaviestOf(connections: Iterable<Connection>): Connection | undefined {
  let heaviest: Connection | undefined;
  for (const one of connections) if (!one.isCutOff && one.weight > (heaviest?.weight ?? 0)) heaviest = one;
  return heaviest;
}

function weightOf({ rawHeaders, url = '' }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + TEXT_BYTES, REQUEST_BYTES + url.length);
}
