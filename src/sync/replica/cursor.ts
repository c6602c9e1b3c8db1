import type { Activity } from '../../core/story/activity.ts';

/** How far a project's activities have been followed. */
export interface Cursor {
  /** The highest version seen; 0 when the project had no activity yet. */
  readonly version: number;
  /** What tells the activities of that version from others that a server may one day give the same number. */
  readonly seen: readonly string[];
  /** When the latest of them happened, in milliseconds since the epoch, where that is known. */
  readonly at?: number;
}

export type Progress =
  | { readonly kind: 'goesOn'; readonly fresh: readonly Activity[]; readonly cursor: Cursor }
  /** What lies between cannot be told from this answer. */
  | { readonly kind: 'broken'; readonly why: string };

/** The highest number of activities that one answer holds (api-v3.md, Limits). */
export const ACTIVITY_LIMIT = 100;

/**
 * Asks for one version more than is new: the activity seen last must be in the answer, or something is missing, the
 * versions went backwards, or the server is another one.
 */
export function versionToAskFrom({ version }: Cursor): number | undefined {
  return version > 1 ? version - 1 : undefined;
}

/** What is new in an answer to `versionToAskFrom`, whether versions count per project or per server. */
export function progress(cursor: Cursor, answer: readonly Activity[]): Progress {
  if (!answer.every(hasVersion)) return { kind: 'broken', why: 'activities have no usable versions' };
  const sinceThen = answer.filter(({ version }) => version >= cursor.version);
  const isKnown = (activity: Activity) => cursor.seen.includes(signature(activity));
  if (cursor.seen.length > 0 && !sinceThen.some(isKnown)) return { kind: 'broken', why: 'the last activity is gone' };
  if (cursor.seen.length === 0 && answer.length >= ACTIVITY_LIMIT) return { kind: 'broken', why: 'too much is new' };
  if (isCutAtTheNewEnd(answer)) return { kind: 'broken', why: 'the newest activities were left out' };
  return { kind: 'goesOn', fresh: sinceThen.filter((one) => !isKnown(one)), cursor: cursorAfter(answer, cursor) };
}

/** The cursor behind these activities, all of which have usable versions. */
export function cursorAfter(activities: readonly Activity[], before: Cursor = START): Cursor {
  const version = Math.max(before.version, ...activities.map((one) => one.version));
  const newest = activities.filter((one) => one.version === version).map(signature);
  const times = activities.flatMap(({ occurredAt }) => occurredAt?.time ?? []);
  const at = Math.max(before.at ?? Number.NEGATIVE_INFINITY, ...times);
  return {
    version,
    seen: [...new Set([...(version === before.version ? before.seen : []), ...newest])],
    ...(Number.isFinite(at) && { at }),
  };
}

export function hasVersion({ version }: Activity): boolean {
  return Number.isSafeInteger(version) && version > 0;
}

const START: Cursor = { version: 0, seen: [] };

/** An id alone does not do: a server that was set up anew gives the same ids to other events. */
function signature({ id, eventType, occurredAt, description }: Activity): string {
  return JSON.stringify([id, eventType, occurredAt?.text ?? '', description.slice(0, 80)]);
}

/** A full answer in rising order stops before the newest (protocol.md: activities come newest first). */
function isCutAtTheNewEnd(answer: readonly Activity[]): boolean {
  const [first, last] = [answer[0], answer.at(-1)];
  return answer.length >= ACTIVITY_LIMIT && first !== undefined && last !== undefined && first.version < last.version;
}
