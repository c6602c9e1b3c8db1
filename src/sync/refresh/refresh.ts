import { failureMeans, kindOf } from '../../core/errors.ts';
import type { RefreshOptions } from '../../core/replica/replica.ts';
import type { Iteration } from '../../core/story/iteration.ts';
import type { Project } from '../../core/story/project.ts';
import type { Story } from '../../core/story/story.ts';
import type { BacklogSnapshot, BacklogUpdate } from '../replica/backlogSnapshot.ts';
import { ACTIVITY_LIMIT, type Cursor, cursorAfter, hasVersion, versionToAskFrom } from '../replica/cursor.ts';
import { digestOf, listsLaidOut, type OpenLists } from '../replica/laidOutLists.ts';
import { listsWithout } from '../replica/listsCache.ts';
import { type Places, placesAfter } from '../replica/places.ts';
import { isLongAgo, isReplanned, type KnownBacklog, planRefresh, type RefreshPlan } from '../replica/planRefresh.ts';
import { isShort } from '../replica/replica.ts';
import { DONE_PAGE, foundInLists, type RefreshNeeds, singleStories } from './readFromServer.ts';

type Part = Extract<RefreshPlan, { kind: 'part' }>;

/** Activities that are told of when everything is read. */
const LATEST = 20;

/** Asks what happened to a project since it was read, and reads that. Throws `TrackerError` and changes nothing itself. */
export async function refreshed(
  needs: RefreshNeeds,
  held: BacklogSnapshot,
  options: RefreshOptions,
): Promise<BacklogUpdate> {
  const update = await asked(needs, held, options);
  return { ...update, seenAt: needs.now() };
}

async function asked(needs: RefreshNeeds, held: BacklogSnapshot, options: RefreshOptions): Promise<BacklogUpdate> {
  const { known, projectId } = held;
  if (!known) return wholeUpdate(needs, projectId, DONE_PAGE, options.onFirst);
  const now = needs.now();
  if (options.isListed && held.listed && canSkipFeed(known, held.listed, options, now)) return unchanged(known, now);
  const [project, activities] = await Promise.all([
    (options.isListed && held.listed) || needs.tracker.getProject(projectId),
    newActivities(needs, projectId, known.cursor),
  ]);
  const { isWritten = false, isAskedFor = false } = options;
  const news = { project, now, isWritten, isAskedFor, ...(activities && { activities }) };
  const plan = planRefresh(known, news);
  if (plan.kind === 'part') return { ...(await partUpdate(needs, held, plan, project)), heardAt: now };
  needs.log.info(`project ${projectId} is read as a whole: ${plan.why}`);
  return wholeUpdate(needs, projectId, doneToRead(held, options));
}

function unchanged({ project, cursor }: KnownBacklog, readAt: number): BacklogUpdate {
  return { project, ...(cursor && { cursor }), stories: [], activities: [], readAt, isWhole: false };
}

/** Older done iterations are only read again while they are visible. */
function doneToRead({ kept: { lists } }: BacklogSnapshot, { mark }: RefreshOptions): number {
  return mark === undefined ? DONE_PAGE : Math.max(DONE_PAGE, lists.done.length);
}

async function newActivities({ tracker }: RefreshNeeds, projectId: number, cursor: Cursor | undefined) {
  if (!cursor) return undefined;
  const newerThanVersion = versionToAskFrom(cursor);
  return unlessNoFeed(
    tracker.listActivities({
      ...{ projectId, limit: ACTIVITY_LIMIT },
      ...(newerThanVersion !== undefined && { newerThanVersion }),
    }),
  );
}

/** Where the feed ends now; to be asked before the lists are, so that nothing falls between. */
async function latestActivities({ tracker }: RefreshNeeds, projectId: number) {
  const latest = await unlessNoFeed(tracker.listActivities({ projectId, limit: LATEST }));
  return { activities: latest ?? [], ...(latest?.every(hasVersion) && { cursor: cursorAfter(latest) }) };
}

async function unlessNoFeed<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    // Without a feed of activities the project itself may still be readable.
    if (failureMeans(kindOf(thrown), 'thisCallOnly')) return undefined;
    throw thrown;
  }
}

async function wholeUpdate(
  needs: RefreshNeeds,
  projectId: number,
  done: number,
  onFirst?: RefreshOptions['onFirst'],
): Promise<BacklogUpdate> {
  const readAt = needs.now();
  // Lists that are newer than what they are compared by are read again; older ones would stay.
  const [latest, project] = await Promise.all([
    latestActivities(needs, projectId),
    needs.tracker.getProject(projectId),
  ]);
  const told = onFirst && ((iteration: Iteration) => isShort(iteration) && onFirst({ project, iteration }));
  const found = await foundInLists(needs, projectId, undefined, done, told);
  return { project, ...found, ...latest, readAt, heardAt: readAt, isWhole: true };
}

async function partUpdate(
  needs: RefreshNeeds,
  held: BacklogSnapshot,
  plan: Part,
  project: Project,
): Promise<BacklogUpdate> {
  const { cursor, fresh, lists, done, storyIds } = plan;
  const readAt = needs.now();
  const same = { project, cursor, activities: fresh, readAt, isWhole: false };
  const laid = plan.layOut && (await updateFromLayout(needs, held, plan.layOut, project));
  if (laid) return { ...same, ...laid };
  if (!lists && !done && storyIds.length === 0) return { ...same, stories: [] };
  const [listed, single] = await Promise.all([
    lists || done ? listsRead(needs, held, plan) : undefined,
    singleStories(needs, held.projectId, storyIds),
  ]);
  const found = { ...same, ...listed, stories: [...single.stories, ...(listed?.stories ?? [])] };
  if (single.gone.size === 0) return found;
  return { ...found, order: {}, lists: listsWithout(listed?.lists ?? held.kept.lists, single.gone) };
}

function listsRead(needs: RefreshNeeds, { projectId, kept }: BacklogSnapshot, { lists, done }: Part) {
  const doneCount = Math.max(DONE_PAGE, kept.lists.done.length);
  return foundInLists(needs, projectId, lists ? undefined : kept.lists, done ? doneCount : kept.lists);
}

/** Dates tell seconds: within so many milliseconds something more may happen at the same one, or the feed may lag. */
const SURE_MS = 10_000;
/** So long a project's feed is not asked while the list of projects tells of nothing. */
const UNHEARD_MS = 3 * 60 * 1000;

/**
 * Whether the list of projects alone tells that nothing happened to this one, so that its feed need not be asked. Our clock
 * measures how long its last activity has been the last; it is not compared with the server's.
 */
function canSkipFeed(known: KnownBacklog, listed: Project, options: RefreshOptions, now: number): boolean {
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

type Attempt = NonNullable<Extract<RefreshPlan, { kind: 'part' }>['layOut']>;
type Laid = Pick<BacklogUpdate, 'project' | 'lists' | 'stories' | 'order' | 'gone'>;

/**
 * What happened, with the order laid out here from the stories that were touched: a few stories are read where the lists
 * are thousands. `undefined` when the server's digest does not say the same, so that the lists have to be read.
 */
async function updateFromLayout(
  needs: RefreshNeeds,
  held: BacklogSnapshot,
  { storyIds, done }: Attempt,
  project: Project,
): Promise<Laid | undefined> {
  const { projectId, known } = held;
  const { places: before, lists } = held.kept;
  const [current] = lists.iterations;
  if (!known || !before || current?.start?.time === undefined) return undefined;
  const [single, older] = await Promise.all([
    singleStories(needs, projectId, storyIds),
    done ? foundInLists(needs, projectId, lists, Math.max(DONE_PAGE, lists.done.length)) : undefined,
  ]);
  const { open, accepted } = divided(single.stories, known.ids.done, current.start.time);
  if (!older && !accepted.every(({ id }) => known.ids.done.has(id))) return undefined;
  const leaving = new Set([...single.gone, ...accepted.map(({ id }) => id)]);
  const places = placesAfter(before, open, leaving);
  const agreed = places && (await agreedPlan(needs, held, project, places));
  if (!agreed) return undefined;
  const { isNew, ...order } = agreed.order;
  return {
    project: agreed.project,
    order,
    ...(!older && { gone: single.gone }),
    ...((isNew || older) && { lists: { ...agreed.lists, done: older?.lists.done ?? lists.done } }),
    stories: [...open, ...(older ? older.stories : accepted)],
  };
}

/** Stories of the open lists, and those that were accepted before the current iteration began. */
function divided(stories: readonly Story[], doneIds: ReadonlySet<number>, start: number) {
  const isDone = ({ id, state, acceptedAt }: Story) =>
    state === 'accepted' && (acceptedAt?.time === undefined ? doneIds.has(id) : acceptedAt.time < start);
  return { open: stories.filter((story) => !isDone(story)), accepted: stories.filter(isDone) };
}

/** The project may have been read a moment before the stories were, so it is asked once more when the digests differ. */
async function agreedPlan(needs: RefreshNeeds, held: BacklogSnapshot, project: Project, places: Places) {
  const first = planFor(held, project, places);
  if (!first || first.order.digest === project.orderDigest) return first;
  const again = await needs.tracker.getProject(held.projectId);
  if (again.orderDigest === project.orderDigest || isReplanned(project, again)) return undefined;
  const second = planFor(held, again, places);
  return second?.order.digest === again.orderDigest ? second : undefined;
}

function planFor({ kept, known }: BacklogSnapshot, project: Project, places: Places) {
  const { iterations, icebox } = kept.lists;
  const laid = listsLaidOut(iterations, project, places);
  if (!laid) return undefined;
  const digest = digestOf(laid);
  const isNew = digest !== known?.digest;
  const lists: OpenLists = isNew ? laid : { iterations, icebox };
  return { project, lists, order: { digest, places, isNew } };
}
