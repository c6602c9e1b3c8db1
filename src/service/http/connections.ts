import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Head } from './requestHeads.ts';

/** A request that came before the one before it was answered. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Requests that may wait on one connection, and on all together; each takes some kilobytes. What comes beyond is cut off. */
const MOST_OF_ONE = 256;
const MOST_OF_ALL = 8_192;

/** What came over one connection: its requests are answered one after the other, and nothing is read in the meantime. */
export class Connection {
  /** What followed from the headers of the request before, for a request that has the same. */
  head: Head | undefined;
  private readonly socket: Socket;
  private readonly all: Connections;
  private isBusy = false;
  private isBodyAhead = false;
  private waiting: Waiting[] = [];

  constructor(socket: Socket, all: Connections) {
    this.socket = socket;
    this.all = all;
    socket.once('close', () => this.forget());
    // Node resumes connections by itself, when a request was read or its answer has gone out.
    socket.on('resume', () => {
      if (this.isHeld) socket.pause();
    });
  }

  /** Whether a request may be answered now; if not, `next` gives it when its turn has come. */
  begins(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.isBusy) {
      this.isBusy = true;
      return true;
    }
    this.waiting.push({ request, response });
    this.all.waiting += 1;
    if (this.waiting.length > MOST_OF_ONE || this.all.waiting > MOST_OF_ALL) this.socket.destroy();
    else if (!this.socket.isPaused()) this.socket.pause();
    return false;
  }

  /** The request to be answered when an answer has gone out, if there is one. */
  next(): Waiting | undefined {
    if (this.waiting.length > 0 && !this.socket.writable) this.forget();
    const next = this.waiting.shift();
    this.isBusy = next !== undefined;
    if (next === undefined) return undefined;
    this.all.waiting -= 1;
    if (!this.isHeld) this.socket.resume();
    return next;
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

  private forget(): void {
    this.all.waiting -= this.waiting.length;
    this.waiting = [];
  }
}

/** All that are open, found by what their requests came over. */
export class Connections {
  /** Requests, over all of them. */
  waiting = 0;
  private readonly known = new WeakMap<Socket, Connection>();

  of(socket: Socket): Connection {
    const known = this.known.get(socket);
    if (known) return known;
    const connection = new Connection(socket, this);
    this.known.set(socket, connection);
    return connection;
  }
}
