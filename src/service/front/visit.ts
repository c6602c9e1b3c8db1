import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AnswersUnderWay } from '../http/answersUnderWay.ts';
import { callerOf, networkOf, type Sender } from '../http/clientAddress.ts';
import type { Connection } from '../http/connection.ts';
import type { HeldBody } from '../http/reply.ts';
import { RequestBody } from '../http/requestBody.ts';
import { bearerToken, type Head, headerToken } from '../http/requestHeads.ts';

/** Bytes a second that a reader must take while other answers wait for room. */
const LEAST_RATE = 32 * 1024;

/** Behind it there is a token, however the slashes are doubled. */
const SECRET_PATH = /(\/invite\/+).*/;
const STRANGERS = 'strangers';

/** A request, and what it came over. */
interface Coming {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly connection: Connection;
  /** Who a token stands for, where that is known without asking. */
  readonly userOf: (token: string) => number | undefined;
}

/** One request under way, and what becomes of its answer. */
export class Visit {
  readonly id: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sender: Sender;
  /** Equal for requests that are equal word for word and can be answered alike; undefined for others. */
  readonly key: string | undefined;
  /** When it came, in milliseconds since the epoch. */
  readonly now: number;
  /** The same by the clock that nobody sets. */
  readonly begun = performance.now();
  private readonly connection: Connection;
  private readonly userOf: (token: string) => number | undefined;
  private _user: number | undefined;
  /** Undefined for a request that has none. */
  private readonly body: RequestBody | undefined;
  private isInvited = false;
  /** When its reader last took something of the answer, or it began to go out; by the clock of `begun`. */
  private takenAt: number | undefined;
  private taken = 0;
  private isInTheWay: (() => boolean) | undefined;
  /** A long body that has room in `outgoing`, or the bytes of one that will. */
  private held: HeldBody | undefined;
  private reserved = 0;
  /** Who has what is reserved. */
  private reservedFor = '';

  constructor(id: number, { request, response, connection, userOf }: Coming, { sender, digest }: Head, now: number) {
    this.id = id;
    this.request = request;
    this.response = response;
    this.connection = connection;
    this.userOf = userOf;
    this.sender = sender;
    this.key = request.method === 'GET' && digest !== undefined ? `${digest}${request.url}` : undefined;
    this.body = digest === undefined ? new RequestBody(request, connection, () => this.caller) : undefined;
    this.now = now;
  }

  /** Whose token it came with; undefined as long as it is not known to be good. */
  get user(): number | undefined {
    return this._user;
  }

  isOf(user: number): void {
    this._user = user;
    this.connection.isOf(user);
  }

  /** Who asks, as far as that is known by now: no more than they say themselves is believed of others. */
  get caller(): string {
    const { headers } = this.request;
    this._user ??= this.userOf(headerToken(headers) || bearerToken(headers));
    return this._user === undefined ? networkOf(this.sender.address) : callerOf(this._user);
  }

  /** In whose turn it is answered: all whom nobody knows have one together, since anyone has as many networks as they care to rent. */
  get turn(): string {
    const { caller } = this;
    return this._user === undefined ? `${STRANGERS}/${caller}` : caller;
  }

  /** For the log: without the query, and without the token of an invitation. */
  get path(): string {
    return (this.request.url?.split('?')[0] ?? '').replace(SECRET_PATH, '$1…');
  }

  /** The body. A sender that asked first waits for this before sending it, so a refused upload is not even sent. */
  invitedBody(): RequestBody {
    const { request, response, connection } = this;
    if (request.headers.expect !== undefined) response.writeContinue();
    this.isInvited = true;
    return this.body ?? new RequestBody(request, connection, () => this.caller);
  }

  /** A body of which more is to come. */
  get bodyComing(): RequestBody | undefined {
    const { request, isInvited, body } = this;
    return !request.complete && (isInvited || request.headers.expect === undefined) ? body : undefined;
  }

  /** The answer begins to go out. */
  beginAnswer(at = performance.now(), isInTheWay?: () => boolean): void {
    this.takenAt = at;
    this.isInTheWay = isInTheWay;
    this.body?.giveRoomBack();
  }

  /** Told of bytes of the answer that its reader took. */
  noteTaken(bytes: number, at = performance.now()): void {
    this.taken += bytes;
    this.takenAt = at;
  }

  /** Whether a long body has room until its reader has it or is gone. The answer to a change, which cannot be made again, has it anyway. */
  holds(body: HeldBody, outgoing: AnswersUnderWay): boolean {
    const { request, response, reserved } = this;
    if (request.method === 'HEAD' || response.destroyed) return true;
    const caller = reserved > 0 ? this.reservedFor : this.caller;
    if (request.method !== 'GET') outgoing.holdAnyway(body, caller, reserved);
    else if (!outgoing.hold(body, caller, reserved)) return false;
    this.reserved = 0;
    this.held = body;
    return true;
  }

  /** Waits for so much room for a body that is to be made; false when there was none in time, or nobody is left to read it. */
  async reserves(bytes: number, outgoing: AnswersUnderWay): Promise<boolean> {
    const { caller } = this;
    if (!(await outgoing.reserve(bytes, caller))) return false;
    if (this.response.destroyed) outgoing.leave(bytes, caller);
    else [this.reserved, this.reservedFor] = [bytes, caller];
    return this.reserved > 0;
  }

  /** Whether room waits for a body that is to be made. */
  get hasRoom(): boolean {
    return this.reserved > 0;
  }

  /** Whether its reader took nothing for `patience` milliseconds, or too little in that time while others wait for the room. */
  isIdle(now: number, patience: number, isCrowded: boolean): boolean {
    const { takenAt, taken, begun, held, isInTheWay } = this;
    if (takenAt === undefined) return false;
    if (now - takenAt > patience) return true;
    const time = now - begun;
    const areOthersWaiting = (held !== undefined && isCrowded) || isInTheWay?.() === true;
    return areOthersWaiting && time > patience && taken < (time / 1000) * LEAST_RATE;
  }

  /** Gives back what it had. Its answer has gone out, or nobody is there to take it. */
  end(outgoing: AnswersUnderWay): void {
    this.body?.drop();
    if (this.held) outgoing.release(this.held);
    if (this.reserved > 0) outgoing.leave(this.reserved, this.reservedFor);
    this.held = undefined;
    this.reserved = 0;
  }
}
