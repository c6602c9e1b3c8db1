import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ANSWER_CACHE_CONTROL } from '../../v3/assumptions.ts';
import { type Caller, carried, noProject } from '../auth/projectAccess.ts';
import { CallerGone, type FileBody, type Reply, xmlReply } from '../http/reply.ts';
import { isValid, LeastRecentlyUsed, UntilChanged, type Validity } from '../memory/leastRecentlyUsed.ts';
import { SharedWork } from '../memory/sharedWork.ts';
import type { Stamp, Tx } from '../store/database.ts';
import { projectById, projectSeenBy, type SeenProject } from '../store/projects/projects.ts';
import { type Answer, type Document, writeAnswer } from './answer.ts';
import type { LongAnswers } from './longAnswers.ts';
import type { ProjectView, ProjectViews } from './projectViews.ts';

const MEMORY = 24 * 1024 * 1024;
/** Bytes that are counted for an answer that is too long to be held. */
const MARK = 100;
const DAY = 86_400_000;

interface Kept extends Validity {
  readonly changes: number;
  /** Undefined where it is too long to be held. */
  readonly answer: Answer | undefined;
}

/** All that an answer about a project depends on, but for the project. */
interface Question extends Caller {
  /** Of the store when the request came. */
  readonly stamp: Stamp;
  readonly tokenHash: string;
  readonly request: Pick<IncomingMessage, 'headers'>;
  readonly requireReader: () => void;
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Gives the document, or what makes it once the transaction is over, where that takes long. */
type Make = (view: ProjectView, tx: Tx) => Promise<Document | (() => Promise<Document>)>;

/** A question with what it takes to answer it. */
interface Asked {
  readonly call: Question;
  readonly projectId: number;
  readonly key: string;
  readonly make: Make;
}

/**
 * Written answers about whole projects, each good while the project's version stands and its iteration lasts. That
 * is read for every request, so what another process changed is seen.
 */
export class Answers {
  private readonly kept = new LeastRecentlyUsed<string, Kept>(MEMORY);
  private readonly underWay = new SharedWork<Kept>();
  private readonly long: LongAnswers;
  private readonly counters: UntilChanged<SeenProject | undefined>;
  private readonly views: ProjectViews;

  constructor(views: ProjectViews, long: LongAnswers) {
    this.long = long;
    this.counters = new UntilChanged(5_000);
    this.views = views;
  }

  /** The reply to a request about a project of the user; `make` is asked when none is at hand. */
  async reply(call: Question, projectId: number, make: Make): Promise<Reply> {
    const changes = await this.changesSeenBy(call, projectId);
    const key = [askerOf(call), call.base, call.path, call.query.toString()].join('\n');
    const known = this.kept.get(key);
    const asked = { call, projectId, key, make };
    const isGood = known?.changes === changes && isValid(known, call.now);
    if (isGood && isReady(known.answer, call.request.headers)) return this.replyOf(asked, known);
    return this.long.inTurn(call.user.id, async () => {
      if (isGood) {
        call.requireReader();
        return this.replyOf(asked, known);
      }
      const begun = await this.begun(asked, changes);
      if (begun.changes !== changes) await this.changesSeenBy(await asNow(call), projectId); // The change may have been to send them away.
      return this.replyOf(asked, isValid(begun, call.now) ? begun : await this.write(asked));
    });
  }

  /** What is under way for the same question ends with the one who began it; whoever is still there begins anew. */
  private async begun(asked: Asked, changes: number): Promise<Kept> {
    for (;;) {
      asked.call.requireReader();
      try {
        return await this.underWay.get(`${changes}\n${asked.key}`, () => this.write(asked));
      } catch (error) {
        if (!(error instanceof CallerGone)) throw error;
      }
    }
  }

  /** Only asked for members. The document is written after the transaction. */
  private async write(asked: Asked): Promise<Kept> {
    const { document, ...made } = await this.made(asked);
    const kept = { ...made, answer: await writeAnswer(document) };
    this.keep(asked.key, kept);
    return kept;
  }

  private async made({
    call,
    projectId,
    make,
  }: Asked): Promise<Omit<Kept, 'answer'> & { readonly document: Document }> {
    const { service, now } = call;
    const { project, validFrom, validUntil, document } = await service.database.read(async (tx) => {
      const row = await projectById(tx, projectId);
      if (!row) throw noProject();
      const view = await this.views.get(tx, row, now);
      return { ...view, document: await make(view, tx) };
    });
    // The day counts for filters that speak of days.
    const day = Math.floor(now / DAY) * DAY;
    const validity = { validFrom: Math.max(validFrom, day), validUntil: Math.min(validUntil, day + DAY) };
    const whole = typeof document === 'function' ? await document() : document;
    return { changes: project.changes, ...validity, document: whole };
  }

  private async replyOf(asked: Asked, kept: Kept): Promise<Reply> {
    const { answer, validFrom, validUntil } = kept;
    if (!answer) return this.longReply(asked, kept);
    const { call, projectId, key } = asked;
    const { request, stamp, tokenHash } = call;
    const before = answer.size;
    const reply = await answerReply(answer, request.headers);
    if (answer.size !== before && this.kept.get(key) === kept) this.keep(key, kept);
    return { ...reply, goodFor: { stamp, reader: { tokenHash, projectId }, validFrom, validUntil } };
  }

  /** What it says follows from the version of the project and the time, and so does its entity tag: it is not known before it is sent. */
  private longReply(asked: Asked, { changes, validFrom }: Kept): Promise<Reply> {
    const { call, key } = asked;
    const tag = hash('sha256', [changes, validFrom, key].join('\n'), 'base64url');
    return longAnswerReply(tag, call.request.headers, (isGzip) =>
      this.long.body(call.user.id, isGzip, async () => (await this.made(asked)).document),
    );
  }

  private keep(key: string, kept: Kept): void {
    this.kept.set(key, kept, (kept.answer?.size ?? MARK) + key.length);
  }

  private async changesSeenBy(call: Question, projectId: number): Promise<number> {
    const { service, user, stamp } = call;
    const seen = await this.counters.get(`${user.id}/${projectId}`, stamp, () =>
      service.database.read((tx) => projectSeenBy(tx, projectId, user.id)),
    );
    if (seen === undefined) throw noProject();
    return carried(call, seen).changes;
  }
}

async function asNow(call: Question): Promise<Question> {
  return { ...call, stamp: await call.service.database.stamp() };
}

/** Only a filter can mean the one who asks; all else is the same for every member. */
function askerOf({ query, user }: Question): string {
  return query.has('filter') ? String(user.id) : '';
}

/** Bytes up to which compressing is not worth it. */
const SHORT = 1024;

/** Whether an answer is at hand as this caller wants it; else it is to be compressed, for which it is held for a while. */
function isReady(answer: Answer | undefined, wishes: IncomingHttpHeaders): boolean {
  return answer === undefined || answer.isCompressed || answer.body.length <= SHORT || !wantsGzip(wishes);
}

/** An answer as this caller wants it: not at all if they have it, compressed if they asked for that. */
async function answerReply(answer: Answer, wishes: IncomingHttpHeaders): Promise<Reply> {
  const isGzip = answer.body.length > SHORT && wantsGzip(wishes);
  return tagged(answer.hash, isGzip, wishes, async () => (isGzip ? answer.gzipped() : answer.body));
}

/** The same for one of which the body is made only for who does not have it. */
function longAnswerReply(
  tag: string,
  wishes: IncomingHttpHeaders,
  body: (isGzip: boolean) => Promise<FileBody>,
): Promise<Reply> {
  const isGzip = wantsGzip(wishes);
  return tagged(tag, isGzip, wishes, () => body(isGzip));
}

async function tagged(
  tag: string,
  isGzip: boolean,
  wishes: IncomingHttpHeaders,
  body: () => Promise<Reply['body']>,
): Promise<Reply> {
  const entityTag = `"${tag}${isGzip ? '-gzip' : ''}"`;
  const headers = { ETag: entityTag, 'Cache-Control': ANSWER_CACHE_CONTROL, Vary: 'Accept-Encoding' };
  if (hasAlready(wishes, entityTag)) return { status: 304, headers, body: '' };
  return xmlReply(await body(), 200, isGzip ? { ...headers, 'Content-Encoding': 'gzip' } : headers);
}

/** Whether the caller says to have this very representation already (If-None-Match). */
function hasAlready(headers: IncomingHttpHeaders, entityTag: string): boolean {
  const named = headers['if-none-match'];
  if (named === undefined) return false;
  if (named.trim() === '*') return true;
  return named.split(',').some((tag) => tag.trim().replace(/^W\//, '') === entityTag);
}

/** Whether the caller asks for gzip, and does not like the plain bytes better (Accept-Encoding). */
function wantsGzip(headers: IncomingHttpHeaders): boolean {
  const wishes = new Map<string, number>();
  for (const wish of String(headers['accept-encoding'] ?? '').split(',')) {
    const [coding = '', ...parameters] = wish.split(';').map((part) => part.trim().toLowerCase());
    wishes.set(coding, quality(parameters));
  }
  const gzip = wishes.get('gzip') ?? wishes.get('x-gzip') ?? 0;
  return gzip > 0 && gzip >= (wishes.get('identity') ?? 0);
}

function quality(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  const value = given === undefined ? 1 : Number(given.slice('q='.length));
  return value >= 0 && value <= 1 ? value : 0;
}
