import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../core/errors.ts';
import { errorListElement } from '../../v3/errorList.ts';
import { writeDocument } from '../../v3/write.ts';
import { type Repeat, ReplyCache } from '../cache/replyCache.ts';
import type { Service } from '../call/service.ts';
import { errorCode, Refusal } from '../ground/errors.ts';
import { FairTurns } from '../ground/fairQueue.ts';
import { AnswersUnderWay } from '../http/answersUnderWay.ts';
import type { TrustedProxies } from '../http/clientAddress.ts';
import type { Connection } from '../http/connection.ts';
import { Connections } from '../http/connections.ts';
import { type GuardRules, guard, type PublicUrl } from '../http/hostNames.ts';
import { CallerGone, failureReply, HeldBody, isFile, type Reply, requireCaller, xmlReply } from '../http/reply.ts';
import { hasTooManyLines, MOST_LINES, RequestHeads } from '../http/requestHeads.ts';
import { localTarget, readTarget } from '../http/target.ts';
import { type Prepared, prepared, withHeldBody, writePrepared, writeReply } from '../http/writeReply.ts';
import { oncePerTurn } from '../memory/sharedWork.ts';
import { CallersDatabase, type Stamp } from '../store/database.ts';
import { dispatch, mayBeLinkedTo } from './dispatch.ts';
import { Visit } from './visit.ts';

export interface RequestRules extends GuardRules {
  /** Empty, or a path that starts with a slash and does not end with one. */
  readonly basePath: string;
  /** How others reach this service, where that is not the way a request came. */
  readonly publicUrl: PublicUrl | undefined;
  readonly proxies: TrustedProxies;
  /** Whether requests come over TLS. */
  readonly isSecure: boolean;
  /** Whether each answered request is told to the log, without its query. */
  readonly logsRequests: boolean;
  /** Milliseconds after which a reader is cut off who takes nothing of an answer; an answer waits a third of it for room. */
  readonly readerTime: number;
  readonly clock: () => number;
  /** Told of each request when its answer is over. */
  readonly onAnswered?: ((answered: AnsweredRequest) => void) | undefined;
}

export interface AnsweredRequest {
  readonly method: string;
  /** Without query, as it was sent. */
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** What there is to do at a moment. */
export interface FrontFigures {
  /** Requests that are not answered yet. */
  readonly underWay: number;
  readonly connections: number;
  /** Of the requests, those that wait for their turn. */
  readonly waiting: number;
  /** Long bodies and answers that wait for memory. */
  readonly waitingForRoom: number;
}

const TOO_MANY_LINES = prepared(
  xmlReply('', 431, { Connection: 'close' }),
  writeDocument(errorListElement([`Send at most ${MOST_LINES} header lines with a request.`])),
);

/** Takes every request from the wire to its reply. */
export class RequestHandler {
  stopping = false;
  readonly connections = new Connections();
  private readonly service: Service;
  private readonly rules: RequestRules;
  private readonly heads: RequestHeads;
  private readonly underWay = new Set<Visit>();
  private readonly outgoing: AnswersUnderWay;
  private readonly repeats = new ReplyCache();
  private readonly turns = new FairTurns();
  private readonly stamp: () => Stamp | Promise<Stamp>;
  /** What the store last said of itself. */
  private lastStamp: Stamp | undefined;
  private requests = 0;

  constructor(service: Service, rules: RequestRules) {
    this.service = service;
    this.rules = rules;
    this.heads = new RequestHeads(rules.proxies);
    this.outgoing = new AnswersUnderWay(rules.readerTime / 3);
    this.stamp = oncePerTurn(service.database.stamp);
  }

  /** Answers a request, when those that came before it over the same connection are. */
  answer(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.connections.of(request.socket);
    if (hasTooManyLines(request))
      connection.refuse(request, response, () => writePrepared(response, TOO_MANY_LINES, ignoreIt));
    else if (connection.begins(request, response)) this.begin(connection, request, response);
  }

  /** What was answered before is answered at once where the store says so at once: every promise costs as much as half of an answer. */
  private begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    const visit = this.visit(connection, request, response);
    const { key, now } = visit;
    const known = key === undefined || this.stopping ? undefined : this.repeats.find(key, now);
    if (known === undefined) return void this.answerAnew(visit);
    const { lastStamp } = this;
    if (known.version !== undefined && lastStamp !== undefined && known.stamp !== lastStamp) {
      return void this.answerIfUnseen(visit, known, lastStamp);
    }
    const answer = (stamp: Stamp): void => {
      this.lastStamp = stamp;
      if (known.stamp === stamp) this.repeat(visit, known);
      else void this.answerIfUnseen(visit, known, stamp);
    };
    try {
      const stamp = this.stamp();
      if (typeof stamp !== 'object') answer(stamp);
      else void stamp.then(answer, (error: unknown) => this.answerFailure(visit, error));
    } catch (error) {
      void this.answerFailure(visit, error);
    }
  }

  private visit(connection: Connection, request: IncomingMessage, response: ServerResponse): Visit {
    this.requests += 1;
    const head = this.heads.of(request, connection);
    const { rules, service } = this;
    const userOf = (token: string) => service.tokens.knownUser(token);
    const visit = new Visit(this.requests, { request, response, connection, userOf }, head, rules.clock());
    this.underWay.add(visit);
    response.on('error', destroyIt).on('close', () => {
      this.underWay.delete(visit);
      visit.end(this.outgoing);
      const next = connection.next();
      // Others have their turn first, however many came ahead over this connection.
      if (next) setImmediate(() => this.begin(connection, next.request, next.response));
    });
    request.on('error', ignoreIt);
    return visit;
  }

  figures(): FrontFigures {
    return {
      underWay: this.underWay.size,
      connections: this.connections.openCount,
      waiting: this.turns.waitingCount,
      waitingForRoom: this.outgoing.waitingCount + this.service.bodyRoom.waitingCount,
    };
  }

  /** Cuts off who takes nothing of their answers. To be called every few seconds. */
  cutOffIdleReaders(): void {
    const now = performance.now();
    for (const visit of this.underWay) {
      if (visit.isIdle(now, this.rules.readerTime, this.outgoing.isCrowded)) visit.request.socket.destroy();
    }
  }

  private repeat(visit: Visit, { reply, user }: Repeat): void {
    const { body, status } = reply;
    if (user !== undefined) visit.isOf(user);
    if (body instanceof HeldBody) return void this.repeatLong(visit, reply, body);
    visit.beginAnswer(visit.begun);
    void writePrepared(visit.response, reply, ignoreIt);
    this.noteAnswered(visit, status);
  }

  private async repeatLong(visit: Visit, reply: Prepared, body: HeldBody): Promise<void> {
    if (!visit.holds(body, this.outgoing)) return this.answerAnew(visit);
    visit.beginAnswer();
    await writePrepared(visit.response, reply, (bytes) => visit.noteTaken(bytes));
    this.noteAnswered(visit, reply.status);
  }

  /** Something was committed since a reply was kept: where its reader sees nothing of that, it is given again, good for a `stamp` from before. */
  private async answerIfUnseen(visit: Visit, known: Repeat, stamp: Stamp): Promise<void> {
    try {
      const version = await this.service.database.seen(known.reader, visit.turn);
      if (version === undefined || version !== known.version) return await this.answerAnew(visit, version);
      known.stamp = stamp;
      this.repeat(visit, known);
    } catch (error) {
      await this.answerFailure(visit, error);
    }
  }

  /** `version` is that of what the reader sees, where it was asked for since the request came. */
  private async answerAnew(visit: Visit, version?: string): Promise<void> {
    try {
      if (!this.turns.begins()) await this.turns.next(visit.turn);
      if (this.stopping) throw stoppingRefusal();
      this.refuseOverdue(visit);
      const lacking = await this.answerMade(visit, version);
      if (lacking > 0) await this.answerInTurn(visit, lacking);
    } catch (error) {
      await this.answerFailure(visit, error);
    }
  }

  /** Throws `Refusal` 503 where so many of the caller's answers wait to be sent that one more is not even made. */
  private refuseOverdue(visit: Visit): void {
    if (!this.outgoing.isCrowded || visit.request.method !== 'GET' || visit.hasRoom) return;
    if (this.outgoing.isOverdue(visit.caller)) throw crowdedRefusal();
  }

  /** Makes the answer and sends it. Gives the bytes for which there was no room to do so; nothing of it is held then. */
  private async answerMade(visit: Visit, version?: string): Promise<number> {
    const reply = withHeldBody(await this.made(visit, version));
    if (visit.key !== undefined) this.repeats.keep(visit.key, visit.now, reply, { version, user: visit.user });
    const { body } = reply;
    if (body instanceof HeldBody && !visit.holds(body, this.outgoing)) return body.length;
    await this.write(visit, reply);
    return 0;
  }

  /** Makes the answer once more when there is room for it. */
  private async answerInTurn(visit: Visit, bytes: number): Promise<void> {
    if (await visit.reserves(bytes, this.outgoing)) await this.answerMade(visit);
    else throw crowdedRefusal();
  }

  private async answerFailure(visit: Visit, error: unknown): Promise<void> {
    await this.write(
      visit,
      failureReply(error, (message) => {
        if (!(error instanceof CallerGone)) this.logFailure(visit, message);
      }),
    );
  }

  private async write(visit: Visit, reply: Reply): Promise<void> {
    const { request, response, bodyComing } = visit;
    const onTaken = (bytes: number): void => visit.noteTaken(bytes);
    visit.beginAnswer(performance.now(), isFile(reply.body) ? reply.body.isInTheWay : undefined);
    await writeReply({ request, response, bodyComing, onTaken }, reply).catch((error: unknown) => {
      response.destroy();
      if (!isGone(error)) this.logFailure(visit, messageOf(error));
    });
    this.noteAnswered(visit, reply.status);
  }

  private async made(visit: Visit, version: string | undefined): Promise<Reply> {
    const { request, sender, now } = visit;
    refuseExpectation(request);
    const { service, rules } = this;
    const { publicUrl, basePath } = rules;
    const target = localTarget(request.url ?? '', request.headers.host ?? '');
    const { path, query } = readTarget(target, [basePath, publicUrl?.path ?? basePath]);
    const host = guard(request, rules, mayBeLinkedTo(path, request.method));
    return dispatch({
      service: { ...service, database: new CallersDatabase(service.database, () => visit.turn) },
      request,
      body: () => visit.invitedBody(),
      requireReader: () => {
        requireCaller(request);
        this.refuseOverdue(visit);
      },
      path,
      query,
      base: publicUrl?.href ?? `${rules.isSecure ? 'https' : 'http'}://${host}${basePath}`,
      isOf: (user) => visit.isOf(user),
      sender: sender.address,
      isPrivate: sender.isPrivate,
      now,
      stamp: await this.stampAfter(version),
    });
  }

  /** What others keep under a stamp from before the version may be older than the version. */
  private async stampAfter(version: string | undefined): Promise<Stamp> {
    const stamp = version === undefined ? await this.stamp() : await this.service.database.stamp();
    this.lastStamp = stamp;
    return stamp;
  }

  private noteAnswered(visit: Visit, status: number): void {
    const { logsRequests, onAnswered } = this.rules;
    if (!logsRequests && !onAnswered) return;
    const { id, request, path, begun } = visit;
    const method = request.method ?? '';
    const milliseconds = performance.now() - begun;
    onAnswered?.({ method, path, status, milliseconds });
    if (!logsRequests) return;
    this.service.log({ event: 'request', request: id, method, path, status, ms: Math.round(milliseconds * 10) / 10 });
  }

  private logFailure({ request, id, path }: Visit, message: string): void {
    if (request.errored) return; // The caller went away or was cut off; that is not a mistake of ours.
    this.service.log({ event: 'error', request: id, method: request.method ?? '', path, message });
  }
}

function refuseExpectation({ headers: { expect } }: IncomingMessage): void {
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    throw new Refusal(417, 'Nothing but 100-continue can be expected of this service.');
  }
}

function destroyIt(this: ServerResponse): void {
  this.destroy();
}

function ignoreIt(): void {}

/** True when it was the caller who ended the connection. */
function isGone(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET' || code === 'EPIPE';
}

function crowdedRefusal(): Refusal {
  const sentence = 'The service is holding too many long answers for slow readers. Try again in a moment.';
  return new Refusal(503, sentence, { 'Retry-After': '5' });
}

function stoppingRefusal(): Refusal {
  return new Refusal(503, 'This service is stopping. Try again in a moment.', {
    'Retry-After': '2',
    Connection: 'close',
  });
}
