import { fieldNames } from '../../core/fieldNames.ts';
import type { Activity, ChangedStory } from '../../core/story/activity.ts';
import type { Project } from '../../core/story/project.ts';
import { STORY_FIELDS } from '../../core/story/storyFields.ts';
import { type Cursor, type Progress, progress } from './cursor.ts';

/** Which stories the lists hold; worth asking only when something happened. */
export interface ListedIds {
  /** How many are in the current iteration, the backlog and the icebox. */
  readonly openCount: number;
  readonly done: ReadonlySet<number>;
  /** Whether it is in one of them; found out without reading them. */
  isHeld(storyId: number): boolean;
}

/** What the replica has of a project before it is refreshed. */
export interface KnownBacklog {
  readonly project: Project;
  /** Absent where the server's activities cannot be followed. */
  readonly cursor?: Cursor;
  /** When the server was last asked, and when last for everything, in milliseconds since the epoch. */
  readonly readAt: number;
  readonly wholeReadAt: number;
  /** When the current iteration ends, in milliseconds since the epoch. */
  readonly endsAt?: number;
  /** Of the open lists as they are kept; see orderDigest.ts. */
  readonly digest?: string;
  /** The order can be laid out again without the server: the ranks of all open stories are known. */
  readonly hasPlaces?: boolean;
  readonly ids: ListedIds;
  /** When the feed was last asked, by our clock. */
  readonly heardAt?: number;
  /** When the project's last activity was first seen to be the last, by our clock. */
  readonly stillSince?: number;
  /** Stories put in since the last refresh, whose order against other answers is not known. */
  readonly unsureIds: readonly number[];
}

/** What the server says, asked in a few hundred bytes. */
interface News {
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
      /** To be tried instead of the lists: reading these stories, laying the order out here, and comparing its digest. */
      readonly layOut?: { readonly storyIds: readonly number[]; readonly done: boolean };
    };

type PartPlan = Extract<RefreshPlan, { kind: 'part' }>;
type GoneOn = Extract<Progress, { kind: 'goesOn' }>;
type Order = 'same' | 'different' | 'untold';

/** Servers change things without an activity; within this time even that is noticed. */
const WHOLE_AFTER_MS = 24 * 60 * 60 * 1000;
/** So many stories, and these for a hundred more in the lists, are read one by one rather than the lists. */
const [FEW, FEW_OF_HUNDRED, MOST] = [8, 2, 60] as const;
/** How far a server's clock may be behind ours at the end of an iteration. */
const CLOCK_SKEW_MS = 10 * 60 * 1000;

const PARTS_OF_STORIES = /^(?:note|comment|task|attachment)_/;

const WITHOUT_PLACE: ReadonlySet<string> = new Set(
  fieldNames(STORY_FIELDS).filter((field) => !STORY_FIELDS[field].isPlacing),
);

/** Whether a field of a project decides how its stories are planned. */
const IS_PLANNING: Readonly<Record<keyof Project, boolean>> = {
  id: false,
  name: false,
  iterationLength: true,
  weekStartDay: true,
  pointScale: true,
  account: false,
  startDate: true,
  firstIterationStartTime: true,
  currentIterationNumber: true,
  enableTasks: false,
  velocityScheme: true,
  currentVelocity: true,
  initialVelocity: true,
  numberOfDoneIterationsToShow: false,
  labels: false,
  lastActivityAt: false,
  orderDigest: false,
  allowAttachments: false,
  public: false,
  useHttps: false,
  bugsAndChoresAreEstimatable: true,
  commitMode: false,
  memberships: false,
  integrations: false,
};
const PLANNING = fieldNames(IS_PLANNING).filter((field) => IS_PLANNING[field]);

/** Decides what must be read so that the replica is as the server is; everything when that cannot be told. */
export function planRefresh(known: KnownBacklog, news: News): RefreshPlan {
  if (!known.cursor || !news.activities) return { kind: 'whole', why: 'the server has no activities to follow' };
  if (isLongAgo(known, news.now)) return { kind: 'whole', why: 'the last time is long ago' };
  const gone = progress(known.cursor, news.activities);
  if (gone.kind === 'broken') return { kind: 'whole', why: gone.why };
  const order = orderOf(known, news, gone.fresh);
  if (order === 'untold' && isUnexplained(known, known.cursor, news, gone.fresh)) {
    return { kind: 'whole', why: 'something changed without an activity' };
  }
  return partPlan(known, news, order, gone);
}

function partPlan(known: KnownBacklog, news: News, order: Order, { fresh, cursor }: GoneOn): RefreshPlan {
  const placing = fresh.filter(mayChangePlaces);
  if (placing.some(({ stories }) => stories.length === 0)) return { kind: 'whole', why: 'an event names no story' };
  const isTurned = isReplanned(known.project, news.project) || (order === 'untold' && isIterationOver(known, news.now));
  const isDoubted = order === 'untold' && isTooQuiet(known, news, fresh);
  const lists = isTurned || placing.length > 0 || order === 'different' || isDoubted;
  const done = isTurned || isDoubted || placing.some((activity) => touchesDone(activity, known.ids));
  const touched = [...new Set([...storyIdsIn(fresh), ...known.unsureIds])];
  const plan = { kind: 'part', cursor, fresh, lists, done } as const;
  if (touched.length === 0 && (!lists || isTurned || order === 'untold')) return { ...plan, storyIds: [] };
  const storyIds = touched.filter((id) => isReadSingly(known.ids, id, { lists, done }));
  if (!lists || isTurned || order === 'untold' || !known.hasPlaces) return { ...plan, storyIds };
  return { ...plan, storyIds, ...layOutPlan(known, placing, touched) };
}

function isReadSingly(ids: ListedIds, id: number, { lists, done }: Pick<PartPlan, 'lists' | 'done'>): boolean {
  if (lists) return !done && ids.done.has(id);
  return ids.isHeld(id) && !(done && ids.done.has(id));
}

function layOutPlan({ ids, unsureIds }: KnownBacklog, placing: readonly Activity[], touched: readonly number[]) {
  const placed = new Set([...storyIdsIn(placing), ...unsureIds]);
  const done = [...placed].some((id) => ids.done.has(id));
  const isRead = (id: number) => placed.has(id) || isReadSingly(ids, id, { lists: false, done });
  const storyIds = touched.filter(isRead);
  if (storyIds.length > Math.min(MOST, FEW + (FEW_OF_HUNDRED * ids.openCount) / 100)) return {};
  return { layOut: { storyIds, done } };
}

function storyIdsIn(activities: readonly Activity[]): readonly number[] {
  return activities.flatMap(({ stories }) => stories.map(({ id }) => id));
}

/** A digest that reading the lists did not bring into line is not of the order as we see it. */
function orderOf(
  { project: before, digest, unsureIds }: KnownBacklog,
  { project }: News,
  fresh: readonly Activity[],
): Order {
  const told = project.orderDigest;
  if (told === undefined) return 'untold';
  if (told === digest) return 'same';
  const isOld = told === before.orderDigest && fresh.length === 0 && unsureIds.length === 0;
  return isOld ? 'untold' : 'different';
}

/** Whether the feed may lag behind what was just written here, or lacks what a person expects. */
function isTooQuiet({ unsureIds }: KnownBacklog, news: News, fresh: readonly Activity[]): boolean {
  if (news.isAskedFor || !news.isWritten) return news.isAskedFor === true;
  const told = new Set(storyIdsIn(fresh));
  return fresh.length === 0 || unsureIds.some((id) => !told.has(id));
}

/**
 * A move is an update of a story in which no field is new, or one that sends it to or from the icebox; so every event
 * that does not surely leave the order alone may change it.
 */
function mayChangePlaces({ eventType, stories }: Activity): boolean {
  if (stories.length === 0) return true;
  const isOfParts = PARTS_OF_STORIES.test(eventType);
  return !(isOfParts || eventType === 'story_update') || !stories.every((story) => leavesPlaces(story, isOfParts));
}

function leavesPlaces({ changed, cleared }: ChangedStory, isOfParts: boolean): boolean {
  const fields = [...Object.keys(changed), ...cleared].filter((field) => field !== 'id');
  const isTelling = isOfParts || fields.some((field) => field !== 'updatedAt' && field !== 'url');
  return isTelling && fields.every((field) => WITHOUT_PLACE.has(field));
}

function touchesDone({ stories }: Activity, { done }: ListedIds): boolean {
  return stories.some(
    ({ id, changed, cleared }) =>
      done.has(id) ||
      changed.state === 'accepted' ||
      changed.acceptedAt !== undefined ||
      cleared.includes('acceptedAt'),
  );
}

/** Whether everything is read for once; also when it was read by a clock that has been set right since. */
export function isLongAgo({ wholeReadAt }: KnownBacklog, now: number): boolean {
  return Math.abs(now - wholeReadAt) > WHOLE_AFTER_MS;
}

/** Whether the project's last activity is later than any that we were told of. */
function isUnexplained(known: KnownBacklog, cursor: Cursor, news: News, fresh: readonly Activity[]): boolean {
  const [before, now] = [known.project.lastActivityAt, news.project.lastActivityAt];
  if (!now || now.text === before?.text || fresh.length > 0) return false;
  return now.time === undefined || now.time > Math.max(before?.time ?? 0, cursor.at ?? 0);
}

/** Whether a project's stories are planned by other rules, in other iterations or at another velocity than before. */
export function isReplanned(before: Project, now: Project): boolean {
  return PLANNING.some((field) => JSON.stringify(before[field]) !== JSON.stringify(now[field]));
}

function isIterationOver({ endsAt, readAt }: KnownBacklog, now: number): boolean {
  return endsAt !== undefined && endsAt <= now && readAt <= endsAt + CLOCK_SKEW_MS;
}
