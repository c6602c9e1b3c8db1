import type { Element } from '../../v3/element.ts';
import { writeDocument } from '../../v3/write.ts';
import { type Caller, noProject, readInProject } from '../auth/projectAccess.ts';
import { type Reply, xmlReply } from '../http/reply.ts';
import type { Database, Tx } from '../store/database.ts';
import { LeastRecent } from './leastRecent.ts';
import type { ProjectView, ProjectViews } from './projectViews.ts';
import { Stamped } from './stamped.ts';

const MEMORY = 64 * 1024 * 1024;
const DAY = 86_400_000;

interface Answer {
  readonly changes: number;
  /** When the iteration or, for filters that speak of days, the day ends. */
  readonly validUntil: number;
  readonly body: Buffer;
}

/** All that an answer about a project depends on, but for the project. */
interface Question extends Caller {
  readonly base: string;
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * Written answers about whole projects, each good while the project's change counter stands and its iteration lasts. The counter
 * is read for every request, so what another process changed is seen.
 */
export class Answers {
  private readonly written = new LeastRecent<string, Answer>(MEMORY);
  private readonly counters: Stamped<number | undefined>;
  private readonly views: ProjectViews;

  constructor(database: Database, views: ProjectViews) {
    this.counters = new Stamped(database, 5_000);
    this.views = views;
  }

  /** The reply to a request about a project of the user; `make` is asked when none is at hand. */
  async reply(
    call: Question,
    projectId: number,
    make: (view: ProjectView, tx: Tx) => Element | Promise<Element>,
  ): Promise<Reply> {
    const changes = await this.changesSeenBy(call, projectId);
    const key = [askerOf(call), call.base, call.path, call.query.toString()].join('\n');
    const known = this.written.get(key);
    if (known?.changes === changes && call.now < known.validUntil) return xmlReply(known.body);
    const answer = await readInProject(call, projectId, async (tx, project): Promise<Answer> => {
      const view = await this.views.get(tx, project, call.now);
      const body = Buffer.from(writeDocument(await make(view, tx)));
      return { changes: project.changes, validUntil: Math.min(view.validUntil, nextDay(call.now)), body };
    });
    this.written.set(key, answer, answer.body.length + key.length);
    return xmlReply(answer.body);
  }

  private async changesSeenBy({ service, user }: Question, projectId: number): Promise<number> {
    const changes = await this.counters.get(`${user.id}/${projectId}`, () =>
      service.database.read((tx) => changesForMember(tx, projectId, user.id)),
    );
    if (changes === undefined) throw noProject();
    return changes;
  }
}

/** Only a filter can mean the one who asks; all else is the same for every member. */
function askerOf({ query, user }: Question): string {
  return query.has('filter') ? String(user.id) : '';
}

function nextDay(now: number): number {
  return (Math.floor(now / DAY) + 1) * DAY;
}

async function changesForMember(tx: Tx, projectId: number, userId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.projectId', 'projects.id')
    .select('projects.changes')
    .where('projects.id', '=', projectId)
    .where('memberships.userId', '=', userId)
    .executeTakeFirst();
  return row?.changes;
}
