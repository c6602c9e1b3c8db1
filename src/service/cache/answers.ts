import type { IncomingMessage } from 'node:http';
import type { Element } from '../../v3/element.ts';
import type { LongElement } from '../../v3/longDocument.ts';
import { type Caller, carried, noProject } from '../auth/projectAccess.ts';
import { answerReply } from '../http/answerReply.ts';
import type { Reply } from '../http/reply.ts';
import type { Stamp, Tx } from '../store/database.ts';
import { type ProjectRow, projectById } from '../store/projects.ts';
import { type Answer, writeAnswer } from './answer.ts';
import { isValid, type Validity } from './isValid.ts';
import { LeastRecent } from './leastRecent.ts';
import type { ProjectView, ProjectViews } from './projectViews.ts';
import { SharedWork } from './sharedWork.ts';
import { Stamped } from './stamped.ts';

const MEMORY = 64 * 1024 * 1024;
const DAY = 86_400_000;

interface Kept extends Validity {
  readonly changes: number;
  readonly answer: Answer;
}

/** All that an answer about a project depends on, but for the project. */
interface Question extends Caller {
  /** Of the store when the request came. */
  readonly stamp: Stamp;
  readonly tokenHash: string;
  readonly request: Pick<IncomingMessage, 'headers'>;
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

type Made = Element | LongElement;
type Make = (view: ProjectView, tx: Tx) => Made | Promise<Made>;

/**
 * Written answers about whole projects, each good while the project's version stands and its iteration lasts. That
 * is read for every request, so what another process changed is seen.
 */
export class Answers {
  private readonly kept = new LeastRecent<string, Kept>(MEMORY);
  private readonly underWay = new SharedWork<Kept>();
  private readonly counters: Stamped<Seen | undefined>;
  private readonly views: ProjectViews;

  constructor(views: ProjectViews) {
    this.counters = new Stamped(5_000);
    this.views = views;
  }

  /** The reply to a request about a project of the user; `make` is asked when none is at hand. */
  async reply(call: Question, projectId: number, make: Make): Promise<Reply> {
    const changes = await this.changesSeenBy(call, projectId);
    const key = [askerOf(call), call.base, call.path, call.query.toString()].join('\n');
    const known = this.kept.get(key);
    if (known?.changes === changes && isValid(known, call.now)) return this.replyOf(call, projectId, key, known);
    const write = () => this.write(call, projectId, key, make);
    const begun = await this.underWay.get(`${changes}\n${key}`, write);
    if (begun.changes !== changes) await this.changesSeenBy(await asNow(call), projectId); // The change may have been to send them away.
    return this.replyOf(call, projectId, key, isValid(begun, call.now) ? begun : await write());
  }

  /** Only asked for members. The document is made in the transaction and written after it. */
  private async write({ service, now }: Question, projectId: number, key: string, make: Make): Promise<Kept> {
    const { project, validFrom, validUntil, document } = await service.database.read(async (tx) => {
      const row = await projectById(tx, projectId);
      if (!row) throw noProject();
      const view = await this.views.get(tx, row, now);
      return { ...view, document: await make(view, tx) };
    });
    const answer = await writeAnswer(document);
    // The day counts for filters that speak of days.
    const day = Math.floor(now / DAY) * DAY;
    const validity = { validFrom: Math.max(validFrom, day), validUntil: Math.min(validUntil, day + DAY) };
    const kept = { changes: project.changes, ...validity, answer };
    this.keep(key, kept);
    return kept;
  }

  private async replyOf(call: Question, projectId: number, key: string, kept: Kept): Promise<Reply> {
    const { request, stamp, tokenHash } = call;
    const before = kept.answer.size;
    const reply = await answerReply(kept.answer, request.headers);
    if (kept.answer.size !== before && this.kept.get(key) === kept) this.keep(key, kept);
    const { validFrom, validUntil } = kept;
    return { ...reply, goodFor: { stamp, reader: { tokenHash, projectId }, validFrom, validUntil } };
  }

  private keep(key: string, kept: Kept): void {
    this.kept.set(key, kept, kept.answer.size + key.length);
  }

  private async changesSeenBy(call: Question, projectId: number): Promise<number> {
    const { service, user, stamp } = call;
    const seen = await this.counters.get(`${user.id}/${projectId}`, stamp, () =>
      service.database.read((tx) => seenByMember(tx, projectId, user.id)),
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

type Seen = Pick<ProjectRow, 'changes' | 'useHttps'>;

async function seenByMember(tx: Tx, projectId: number, userId: number): Promise<Seen | undefined> {
  return tx
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.projectId', 'projects.id')
    .select(['projects.changes', 'projects.useHttps'])
    .where('projects.id', '=', projectId)
    .where('memberships.userId', '=', userId)
    .executeTakeFirst();
}
