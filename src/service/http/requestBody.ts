import type { IncomingMessage } from 'node:http';
import { Refusal } from '../ground/errors.ts';
import { type BodyRoom, LONG_BODY } from './bodyRoom.ts';
import type { Connection } from './connection.ts';
import { CallerGone } from './reply.ts';
import { hasBody } from './requestHeads.ts';

/** Bytes from which a piece is handed on as it came; smaller ones are gathered, since each takes hundreds of bytes besides its own. */
const LARGE_PIECE = 16 * 1024;
const FIRST_GATHERED = 1024;
/** Bytes that may have come and not been read before the connection is held. */
const AHEAD = 32 * 1024;
const LINGER_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 2_000;

/**
 * The body of a request as it comes: however small the pieces are in which it was sent, what waits for its reader is a few large
 * ones, and never more than some tens of kilobytes.
 */
export class RequestBody {
  private readonly request: IncomingMessage;
  private readonly connection: Connection;
  private readonly holderOf: () => string;
  private readonly whole: Buffer[] = [];
  private gathered: Buffer = Buffer.alloc(0);
  private gatheredLength = 0;
  private ahead = 0;
  private isLeft = false;
  private isEnded = false;
  private isDiscarded = false;
  private failure: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;
  private isWaking = false;
  private arrived = 0;
  private leaveRoom: (() => void) | undefined;

  /** `holderOf` tells whose the room is that a long one takes. */
  constructor(request: IncomingMessage, connection: Connection, holderOf: () => string) {
    this.request = request;
    this.connection = connection;
    this.holderOf = holderOf;
    if (!hasBody(request)) {
      this.isEnded = true;
      return;
    }
    request.on('data', (piece: Buffer) => this.take(piece));
    request.on('end', () => {
      this.isEnded = true;
      this.wakeReader();
    });
    request.on('error', (error) => this.fail(error));
    request.on('close', () => {
      if (!request.complete) this.fail(new CallerGone());
    });
  }

  /** What has come since the last piece, or comes next; undefined at the end. Throws when the caller goes away before it. */
  async next(): Promise<Buffer | undefined> {
    while (this.ahead === 0) {
      if (this.isEnded) return undefined;
      if (this.failure) throw this.failure.error;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    const piece = this.whole.shift() ?? this.takeGathered();
    this.ahead -= piece.length;
    if (this.ahead <= AHEAD / 2) this.connection.holdBody(false);
    return piece;
  }

  /**
   * All of it, in one buffer that grows; a long one only when there is room for it, which it has until it is answered. Throws `Refusal` 413
   * for more than `limit` bytes and 408 when it does not arrive within `patience` milliseconds, or too slowly for those who wait for its
   * room; the rest of it is left to be discarded, so that the sender can read why.
   */
  async read(limit: number, patience: number, room: BodyRoom): Promise<Buffer> {
    const deadline = setTimeout(() => this.fail(new Refusal(408, 'The body took too long to arrive.')), patience);
    try {
      let bytes: Buffer = Buffer.alloc(0);
      let length = 0;
      for (let piece = await this.next(); piece; piece = await this.next()) {
        if (length + piece.length > limit) throw bodyTooLong();
        if (length + piece.length > LONG_BODY && this.leaveRoom === undefined) await this.approach(room, limit);
        if (length === 0) bytes = piece;
        else bytes = grown(bytes, length, length + piece.length, limit);
        if (length > 0) piece.copy(bytes, length);
        length += piece.length;
        this.arrived = length;
      }
      if (length > LONG_BODY) await this.enter(room, length);
      return bytes.subarray(0, length);
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Lets the rest go by, for some time: closing with unread bytes would reset the connection and take the answer with it. */
  async discard(): Promise<void> {
    const { request } = this;
    await new Promise<void>((resolve) => {
      let discarded = 0;
      const timer = setTimeout(resolve, LINGER_MS);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      request.on('data', (piece: Buffer) => {
        discarded += piece.length;
        if (discarded > LINGER_BYTES) done();
      });
      request.on('end', done).on('close', done).on('error', done);
      this.drop();
    });
    this.isLeft = !request.complete;
    if (this.isLeft) this.connection.holdBody(true);
  }

  /** What was made of it is needed no more. */
  giveRoomBack(): void {
    this.leaveRoom?.();
  }

  /** Nobody reads it any more, nor what was made of it. */
  drop(): void {
    this.isDiscarded = true;
    this.giveRoomBack();
    this.whole.length = 0;
    this.takeGathered();
    this.ahead = 0;
    this.connection.holdBody(false);
  }

  private async approach(room: BodyRoom, limit: number): Promise<void> {
    const bytes = Math.min(limit, Number(this.request.headers['content-length'] ?? limit));
    const body = this;
    const coming = {
      holder: this.holderOf(),
      get arrived() {
        return body.arrived;
      },
      fail: (error: unknown) => this.fail(error),
    };
    this.takeRoom(await room.approach(bytes, coming));
  }

  private async enter(room: BodyRoom, bytes: number): Promise<void> {
    const { leaveRoom } = this;
    const leave = await room.enter(bytes, this.holderOf());
    leaveRoom?.();
    this.takeRoom(leave);
  }

  private takeRoom(leave: () => void): void {
    this.leaveRoom = leave;
    if (this.isDiscarded) leave();
  }

  private take(piece: Buffer): void {
    if (this.isDiscarded) return;
    this.ahead += piece.length;
    if (piece.length < LARGE_PIECE) this.gather(piece);
    else {
      this.keepGathered();
      this.whole.push(piece);
    }
    if (this.ahead > AHEAD) this.connection.holdBody(true);
    if (!this.wake || this.isWaking) return;
    this.isWaking = true;
    setImmediate(() => this.wakeReader()); // Pieces that came together are read together.
  }

  private gather(piece: Buffer): void {
    if (this.gatheredLength + piece.length > this.gathered.length) {
      const doubled = Math.max(FIRST_GATHERED, Math.min(2 * this.gathered.length, LARGE_PIECE));
      this.keepGathered();
      this.gathered = Buffer.allocUnsafeSlow(Math.max(doubled, piece.length));
    }
    this.gatheredLength += piece.copy(this.gathered, this.gatheredLength);
  }

  private keepGathered(): void {
    if (this.gatheredLength > 0) this.whole.push(this.takeGathered());
  }

  private takeGathered(): Buffer {
    const piece = this.gathered.subarray(0, this.gatheredLength);
    this.gathered = this.gathered.subarray(this.gatheredLength);
    this.gatheredLength = 0;
    return piece;
  }

  private fail(error: unknown): void {
    this.failure ??= { error };
    this.wakeReader();
  }

  private wakeReader(): void {
    this.isWaking = false;
    this.wake?.();
    this.wake = undefined;
  }
}

/** A buffer with the first `length` bytes of `bytes` and room for `needed`: a new one is twice as large, as far as the limit allows. */
function grown(bytes: Buffer, length: number, needed: number, limit: number): Buffer {
  if (needed <= bytes.length) return bytes;
  const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(needed, 2 * bytes.length)));
  bytes.copy(larger, 0, 0, length);
  return larger;
}

export function bodyTooLong(): Refusal {
  return new Refusal(413, 'The body is too long.');
}
