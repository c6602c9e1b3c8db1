import type { RefreshOptions } from '../../core/replica/replica.ts';
import type { Project } from '../../core/story/project.ts';
import { isLongAgo, type KnownBacklog } from '../replica/planRefresh.ts';

/** Dates tell seconds: within so many milliseconds something more may happen at the same one, or the feed may lag. */
const SURE_MS = 10_000;
/** So long a project's feed is not asked while the list of projects tells of nothing. */
const UNHEARD_MS = 3 * 60 * 1000;

/**
 * Whether the list of projects alone tells that nothing happened to this one, so that its feed need not be asked. Our clock
 * measures how long its last activity has been the last; it is not compared with the server's.
 */
export function isQuiet(known: KnownBacklog, listed: Project, options: RefreshOptions, now: number): boolean {
  const { project, cursor, digest, endsAt, heardAt, stillSince, unsureIds } = known;
  if (options.isWritten || options.isAskedFor || unsureIds.length > 0) return false;
  const last = listed.lastActivityAt?.time;
  if (last === undefined || cursor?.at === undefined || last > cursor.at) return false;
  if (heardAt === undefined || stillSince === undefined || heardAt - stillSince < SURE_MS) return false;
  if (now < heardAt || now - heardAt > UNHEARD_MS || isLongAgo(known, now)) return false;
  if (listed.orderDigest === undefined ? endsAt !== undefined && endsAt <= now : listed.orderDigest !== digest)
    return false;
  return JSON.stringify(listed) === JSON.stringify(project);
}
