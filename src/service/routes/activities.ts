import { MAX_NUMBER } from '../../core/limits.ts';
import type { Activity } from '../../core/story/activity.ts';
import { longActivities } from '../../v3/activity.ts';
import { ACTIVITY_LIMITS, DEFAULT_ACTIVITY_LIMIT, sentDate } from '../../v3/assumptions.ts';
import { readZonedDate } from '../../v3/dates.ts';
import type { ComingElement } from '../../v3/longDocument.ts';
import { projectIdsOfCaller, readInProject } from '../auth/projectAccess.ts';
import type { Document } from '../cache/answer.ts';
import { ComingItems } from '../cache/listedStories.ts';
import { type Call, param } from '../call/exchange.ts';
import { badRequest, unprocessable } from '../ground/errors.ts';
import { type Reply, xmlReply } from '../http/reply.ts';
import {
  type ActivityHead,
  type ActivitySelection,
  activitiesOfProject,
  activitiesOfProjects,
  changesOf,
  toActivity,
} from '../store/activities.ts';
import type { Database } from '../store/database.ts';
import { queryInteger } from './page.ts';

/** Activities whose changes are read in one go. */
const AT_ONCE = 10;

/** Endpoint 2: what happened in all projects of the user. */
export async function listActivities(call: Call): Promise<Reply> {
  const selection = readSelection(call.query);
  return reply(call, undefined, selection, () =>
    call.service.database.read((tx) => activitiesOfProjects(tx, projectIdsOfCaller(tx, call), selection)),
  );
}

export async function projectActivities(call: Call): Promise<Reply> {
  const selection = readSelection(call.query);
  const projectId = param(call, 'projectId');
  return reply(call, projectId, selection, () =>
    readInProject(call, projectId, (tx, { id }) => activitiesOfProject(tx, id, selection)),
  );
}

/** Clients ask again and again whether anything is new: while nothing in the store is, neither is the answer. */
async function reply(
  call: Call,
  projectId: number | undefined,
  selection: ActivitySelection,
  read: () => Promise<readonly ActivityHead[]>,
): Promise<Reply> {
  const { service, user, tokenHash, base, path, stamp, isPrivate } = call;
  const key = [user.id, isPrivate, base, path, JSON.stringify(selection)].join('\n');
  const write = async (): Promise<Document> => listOf(service.database, await read(), base);
  const whole = await service.feeds.get(key, stamp, () => service.long.whole(user.id, write));
  const body = whole ?? (await service.long.body(user.id, false, write));
  const reader = { tokenHash, projectId };
  return { ...xmlReply(body), goodFor: { stamp, reader, validFrom: 0, validUntil: Number.POSITIVE_INFINITY } };
}

/** Activities that changed long texts are read when their turn comes; none changes after it was recorded. */
function listOf(database: Database, heads: readonly ActivityHead[], base: string): ComingElement {
  const coming = new ComingItems(heads.length, async (from) => {
    const some = heads.slice(from, from + AT_ONCE);
    const long = some.filter(({ stories }) => stories === null).map(({ id }) => id);
    const changes = long.length === 0 ? new Map<number, string>() : await database.read((tx) => changesOf(tx, long));
    const items = some.map((head) => [head.id, changesIn(head, changes)] as const);
    return { count: some.length, items };
  });
  const made = (head: ActivityHead): Activity | undefined => {
    const stories = coming.take(head.id);
    return stories === undefined ? undefined : toActivity({ ...head, stories }, base);
  };
  return { ...longActivities(heads, made), next: () => coming.next() };
}

function changesIn({ id, stories }: ActivityHead, long: ReadonlyMap<number, string>): string | undefined {
  return stories ?? long.get(id);
}

function readSelection(query: URLSearchParams): ActivitySelection {
  const limit = queryInteger(query, 'limit') ?? DEFAULT_ACTIVITY_LIMIT;
  const { lowest, highest } = ACTIVITY_LIMITS;
  if (limit < lowest || limit > highest) throw unprocessable(`"limit" must be from ${lowest} to ${highest}.`);
  const newerThanVersion = queryInteger(query, 'newer_than_version');
  const since = query.get('occurred_since_date') ?? '';
  return {
    limit,
    ...(newerThanVersion !== undefined && { newerThanVersion }),
    ...(!isBlank(since) && { occurredSince: readDay(since) }),
  };
}

/** A long one is not looked at, and is no day either. */
function isBlank(text: string): boolean {
  return text.length <= MAX_NUMBER && text.trim() === '';
}

function readDay(text: string): number {
  const time = text.length > MAX_NUMBER ? undefined : readZonedDate(sentDate(text)).time;
  if (time === undefined) throw badRequest('"occurred_since_date" must be a date such as 2026/03/31.');
  return time;
}
