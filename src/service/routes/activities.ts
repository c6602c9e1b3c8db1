import { MAX_NUMBER } from '../../core/limits.ts';
import { activitiesElement } from '../../v3/activity.ts';
import { ACTIVITY_LIMITS, DEFAULT_ACTIVITY_LIMIT, sentDate } from '../../v3/assumptions.ts';
import { readZonedDate } from '../../v3/dates.ts';
import { writeDocument } from '../../v3/write.ts';
import { projectIdsOfCaller, readInProject } from '../auth/projectAccess.ts';
import { type Call, param } from '../http/exchange.ts';
import { type Reply, xmlReply } from '../http/reply.ts';
import { badRequest, unprocessable } from '../refusal.ts';
import {
  type ActivityRow,
  type ActivitySelection,
  activitiesOfProject,
  activitiesOfProjects,
  toActivity,
} from '../store/activities.ts';
import { queryInteger } from './pages.ts';

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
  read: () => Promise<readonly ActivityRow[]>,
): Promise<Reply> {
  const { service, user, tokenHash, base, path, stamp, isPrivate } = call;
  const key = [user.id, isPrivate, base, path, JSON.stringify(selection)].join('\n');
  const body = await service.feeds.get(key, stamp, async () =>
    Buffer.from(writeDocument(activitiesElement((await read()).map((row) => toActivity(row, base))))),
  );
  const reader = { tokenHash, projectId };
  return { ...xmlReply(body), goodFor: { stamp, reader, validFrom: 0, validUntil: Number.POSITIVE_INFINITY } };
}

function readSelection(query: URLSearchParams): ActivitySelection {
  const limit = queryInteger(query, 'limit') ?? DEFAULT_ACTIVITY_LIMIT;
  const { lowest, highest } = ACTIVITY_LIMITS;
  if (limit < lowest || limit > highest) throw unprocessable(`"limit" has to be from ${lowest} to ${highest}.`);
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
  if (time === undefined) throw badRequest('"occurred_since_date" has to be a date such as 2026/03/31.');
  return time;
}
