import type { Activity, ChangedStory } from '../core/activity.ts';
import type { Iteration } from '../core/iteration.ts';
import type { Project } from '../core/project.ts';
import type { Story } from '../core/story.ts';
import { type Cursor, progress } from './cursor.ts';

/** What the replica has of a project before it is refreshed. */
export interface KnownBacklog {
  readonly project: Project;
  /** Absent where the server's activities cannot be followed. */
  readonly cursor?: Cursor;
  /** When the server was last asked, and when last for everything, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly wholeReadAt: number;
  readonly current?: Pick<Iteration, 'finish'>;
  readonly doneIds: ReadonlySet<number>;
  /** In the current iteration, the backlog and the icebox. */
  readonly openIds: ReadonlySet<number>;
  /** Stories put in since the last refresh, whose order against other answers is not known. */
  readonly unsureIds: readonly number[];
}

/** What the server says, asked in a few hundred bytes. */
export interface News {
  readonly project: Project;
  /** Absent when the server would not tell. */
  readonly activities?: readonly Activity[];
  /** A write of our own was answered just before. */
  readonly isWritten: boolean;
  /** A person wants to see what is there now, told of or not. */
  readonly isAskedFor?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type RefreshPlan =
  | { readonly kind: 'whole'; readonly why: string }
  | {
      readonly kind: 'part';
      readonly cursor: Cursor;
      /** The activities that are new. */
      readonly fresh: readonly Activity[];
      /** The current iteration, the backlog and the icebox, with all that is in them. */
      readonly lists: boolean;
      readonly done: boolean;
      /** To be read one by one: they are in none of the lists that are read anyway. */
      readonly storyIds: readonly number[];
    };

/** Servers change things without an activity; within this time even that is noticed. */
const WHOLE_AFTER_MS = 24 * 60 * 60 * 1000;
/** How far a server's clock may be behind ours at the end of an iteration. */
const CLOCK_SKEW_MS = 10 * 60 * 1000;

const PARTS_OF_STORIES = /^(?:note|comment|task|attachment)_/;

/** Fields that decide neither the order of stories nor in which iteration they are. */
const WITHOUT_PLACE: ReadonlySet<string> = new Set<keyof Story>([
  ...(['name', 'url', 'description', 'requestedBy', 'ownedBy', 'updatedAt', 'deadline', 'labels', 'ticket'] as const),
  ...(['attachments', 'notes', 'tasks'] as const),
]);

/** Fields of a project that decide how its stories are planned. */
const PLANNING = [
  ...(['iterationLength', 'weekStartDay', 'startDate', 'firstIterationStartTime', 'currentIterationNumber'] as const),
  ...(['velocityScheme', 'currentVelocity', 'initialVelocity', 'bugsAndChoresAreEstimatable', 'pointScale'] as const),
] satisfies readonly (keyof Project)[];

/** Decides what has to be read so that the replica is as the server is; everything when that cannot be told. */
export function planRefresh(known: KnownBacklog, news: News): RefreshPlan {
  if (!known.cursor || !news.activities) return { kind: 'whole', why: 'the server has no activities to follow' };
  if (news.now - known.wholeReadAt > WHOLE_AFTER_MS) return { kind: 'whole', why: 'the last time is long ago' };
  const gone = progress(known.cursor, news.activities);
  if (gone.kind === 'broken') return { kind: 'whole', why: gone.why };
  if (isUnexplained(known, known.cursor, news, gone.fresh)) {
    return { kind: 'whole', why: 'something happened that no activity tells' };
  }
  return partPlan(known, news, gone.fresh, gone.cursor);
}

function partPlan(known: KnownBacklog, news: News, fresh: readonly Activity[], cursor: Cursor): RefreshPlan {
  const placing = fresh.filter(mayChangePlaces);
  if (placing.some(({ stories }) => stories.length === 0)) return { kind: 'whole', why: 'an event names no story' };
  const turned = isReplanned(known.project, news.project) || isIterationOver(known, news.now);
  const isDoubted = news.isAskedFor === true || (news.isWritten && fresh.length === 0);
  const lists = turned || placing.length > 0 || isDoubted;
  const done = turned || placing.some((activity) => touchesDone(activity, known.doneIds));
  const touched = new Set([...fresh.flatMap(({ stories }) => stories.map(({ id }) => id)), ...known.unsureIds]);
  const isReadSingly = (id: number) => (known.openIds.has(id) ? !lists : known.doneIds.has(id) && !done);
  return { kind: 'part', cursor, fresh, lists, done, storyIds: [...touched].filter(isReadSingly) };
}

/**
 * A move is an update of a story in which no field is new, or one that sends it to or from the icebox; so every event
 * that does not surely leave the order alone may change it.
 */
export function mayChangePlaces({ eventType, stories }: Activity): boolean {
  if (stories.length === 0) return true;
  const isOfParts = PARTS_OF_STORIES.test(eventType);
  return !(isOfParts || eventType === 'story_update') || !stories.every((story) => leavesPlaces(story, isOfParts));
}

function leavesPlaces({ changed, cleared }: ChangedStory, isOfParts: boolean): boolean {
  const fields = [...Object.keys(changed), ...cleared].filter((field) => field !== 'id');
  const isTelling = isOfParts || fields.some((field) => field !== 'updatedAt' && field !== 'url');
  return isTelling && fields.every((field) => WITHOUT_PLACE.has(field));
}

function touchesDone({ stories }: Activity, doneIds: ReadonlySet<number>): boolean {
  return stories.some(
    ({ id, changed, cleared }) =>
      doneIds.has(id) ||
      changed.state === 'accepted' ||
      changed.acceptedAt !== undefined ||
      cleared.includes('acceptedAt'),
  );
}

/** Whether the project's last activity is later than any that we were told of. */
function isUnexplained(known: KnownBacklog, cursor: Cursor, news: News, fresh: readonly Activity[]): boolean {
  const [before, now] = [known.project.lastActivityAt, news.project.lastActivityAt];
  if (!now || now.text === before?.text || fresh.length > 0) return false;
  return now.time === undefined || now.time > Math.max(before?.time ?? 0, cursor.at ?? 0);
}

function isReplanned(before: Project, now: Project): boolean {
  return PLANNING.some((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]));
}

function isIterationOver({ current, readAt }: KnownBacklog, now: number): boolean {
  const end = current?.finish?.time;
  return end !== undefined && end <= now && readAt <= end + CLOCK_SKEW_MS;
}
