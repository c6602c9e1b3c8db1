import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { callerOf } from './clientAddress.ts';
import type { Greeting } from './greetings.ts';
import { HeardRequest } from './heardRequest.ts';
import type { Paced, PieceTurns } from './pieceTurns.ts';
import type { Head } from './requestHeads.ts';

/** A request that came before the one before it was answered. */
interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Bytes. */
  readonly weight: number;
}

/** Bytes of what may wait on one connection; who sends more is cut off. */
const MOST = 1.5 * 1024 * 1024;
/** Bytes that a request takes besides its texts, and that each of its texts does. */
const REQUEST_BYTES = 8 * 1024;
const TEXT_BYTES = 32;

/** Bytes that came with the end of a greeting of TLS and hold no more pieces than need a turn of their own; and ends of lines in more bytes. */
const FEW_BYTES = 4 * 1024;
const FEW_LINES = 250;
const LINE_END = Buffer.from('\r\n');

/** What is told of a connection, to be counted over all. */
interface ConnectionCounts {
  /** Of the pieces in which their bodies come. */
  readonly pieces: PieceTurns;
  /** What waits on it grew by so many bytes. */
  note(connection: Connection, growth: number): void;
  /** Nothing more of it is answered; what waits on it takes memory until its bytes are taken off. */
  leave(connection: Connection): void;
  /** A connection of one holder turned out to be of another. */
  pass(from: string, to: string): void;
}

/** What came over one connection: its requests are answered one after the other, and nothing is read in the meantime. */
export class Connection implements Paced {
  /** What followed from the headers of the request before, for a request that has the same. */
  head: Head | undefined;
  /** When it last began to wait for a request, or to answer one; by the clock of `performance`. */
  since = performance.now();
  private socket: Socket;
  private readonly all: ConnectionCounts;
  private readonly network: string;
  /** Where TLS is spoken, until its greeting is over. */
  private greeting: Greeting | undefined;
  /** What reads requests of it, while that waits for its turn since the greeting is over. */
  private serve: (() => void) | undefined;
  /** The one that is being answered. */
  private request: IncomingMessage | undefined;
  private user: number | undefined;
  private isGone = false;
  private isBodyAhead = false;
  private isHeldForTurn = false;
  private waiting: Waiting[] = [];
  /** Bytes of what waits. */
  private _weight = 0;

  /** `network` is that of who opened it; `greeting` is there where TLS is to be spoken. */
  constructor(socket: Socket, all: ConnectionCounts, network: string, greeting?: Greeting) {
    this.socket = socket;
    this.all = all;
    this.network = network;
    this.greeting = greeting;
    all.pieces.begin(this);
    this.hearEndOf(socket);
    if (!greeting) this.stayHeld(socket);
  }

  /**
   * The greeting of TLS is over: requests come over another object than what was opened, once `serve` was called for it. What came together
   * with the end of the greeting is put into that object first, which can be done in turns.
   */
  goOver(socket: Socket, serve: () => void): void {
    this.socket = socket;
    this.hearEndOf(socket);
    this.serve = () => {
      serve();
      this.stayHeld(socket);
    };
    this.greeting?.finish();
    setImmediate(() => {
      if (socket.readableLength > FEW_BYTES && hasManyLines(socket)) this.all.pieces.expect(this);
      this.serveOrNot();
    });
  }

  private hearEndOf(socket: Socket): void {
    socket.once('close', () => {
      this.waiting = [];
      this.all.pieces.forget(this);
      this.all.leave(this);
      this.grow(-this._weight);
    });
  }

  /**
   * Node resumes connections by itself, when some of a request was read or its answer has gone out. To be called for one that Node listens
   * to already: it reads at once what is resumed, and would after it was paused here.
   */
  private stayHeld(socket: Socket): void {
    socket.on('resume', () => {
      if (!this.isHeld) return;
      // Where it was paused since Node resumed it, Node reads all the same unless it is told once more.
      if (socket.isPaused()) socket.emit('pause');
      else socket.pause();
    });
  }

  /** Who has it: a user, once a token that came over it was good, else whoever is at its other end. */
  get holder(): string {
    return this.user === undefined ? this.network : callerOf(this.user);
  }

  get isNew(): boolean {
    return this.serve !== undefined;
  }

  get isKnown(): boolean {
    return this.user !== undefined;
  }

  /** It was closed: it stays whose it was. */
  end(): void {
    this.isGone = true;
  }

  /** A token that came over it is good. */
  isOf(user: number): void {
    if (this.user === user || this.isGone) return;
    const { holder } = this;
    this.user = user;
    this.all.pass(holder, this.holder);
  }

  get isIdle(): boolean {
    return this.request === undefined;
  }

  /** Whether something is still to come of a request, or no request is there. */
  get isAwaited(): boolean {
    return this.request === undefined || !this.request.complete;
  }

  get weight(): number {
    return this._weight;
  }

  /** Whether a request may be answered now; if not, `next` gives it when its turn has come. */
  begins(request: IncomingMessage, response: ServerResponse): boolean {
    this.hear(request);
    if (this.request === undefined) {
      this.request = request;
      this.since = performance.now();
      return true;
    }
    const weight = weightOf(request);
    this.waiting.push({ request, response, weight });
    this.grow(weight);
    if (this._weight > MOST) this.cutOff();
    else if (!this.socket.isPaused()) this.socket.pause();
    return false;
  }

  /** The request to be answered when an answer has gone out, if there is one. */
  next(): Waiting | undefined {
    if (!this.socket.writable) this.waiting = [];
    const next = this.waiting.shift();
    this.request = next?.request;
    this.since = performance.now();
    if (next === undefined) return undefined;
    this.grow(-next.weight);
    if (!this.isHeld) this.socket.resume();
    return next;
  }

  /** Answers a request that is not even looked at, and reads nothing more; where others are to be answered before it, none is. */
  refuse(request: IncomingMessage, response: ServerResponse, write: () => void): void {
    this.hear(request);
    if (!this.isIdle) this.cutOff();
    else {
      response.on('error', () => undefined);
      write();
      this.socket.destroySoon();
    }
  }

  /** Reads and answers nothing more. What waited takes memory until the connection is closed, for which all that came in this turn are read first. */
  cutOff(): void {
    this.all.leave(this);
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
    this.readOrNot();
  }

  holdForTurn(isHeld: boolean): void {
    this.isHeldForTurn = isHeld;
    if (this.serve) setImmediate(() => this.serveOrNot());
    else if (this.greeting === undefined) this.readOrNot();
  }

  /** Pieces of a body have come. */
  countPieces(pieces: number): void {
    this.all.pieces.count(this, pieces);
  }

  private hear(request: IncomingMessage): void {
    if (request instanceof HeardRequest) request.heardBy = this;
  }

  private serveOrNot(): void {
    const { serve, greeting } = this;
    if (this.isHeldForTurn || this.isCutOff || serve === undefined) return;
    this.serve = undefined;
    this.greeting = undefined;
    greeting?.end();
    serve();
  }

  private readOrNot(): void {
    if (!this.isHeld) this.socket.resume();
    else if (!this.socket.isPaused()) this.socket.pause();
  }

  private get isHeld(): boolean {
    return this.isBodyAhead || this.isHeldForTurn || this.waiting.length > 0;
  }

  private grow(bytes: number): void {
    this._weight += bytes;
    this.all.note(this, bytes);
  }
}

/** Whether what came and was not read yet may hold many heads of requests or pieces of a body: each needs ends of lines. */
function hasManyLines(socket: Socket): boolean {
  const come: unknown = 'readableBuffer' in socket ? socket.readableBuffer : undefined;
  if (!Array.isArray(come)) return true;
  let lines = 0;
  for (const bytes of come) {
    if (!Buffer.isBuffer(bytes)) return true;
    for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + LINE_END.length)) {
      lines += 1;
      if (lines > FEW_LINES) return true;
    }
  }
  return false;
}

function weightOf({ rawHeaders, url = '' }: IncomingMessage): number {
  return rawHeaders.reduce((sum, text) => sum + text.length + TEXT_BYTES, REQUEST_BYTES + url.length);
}
