import { listsOf } from '../core/backlogWithChanges.ts';
import { TrackerError } from '../core/errors.ts';
import type { Iteration } from '../core/iteration.ts';
import type { Log } from '../core/log.ts';
import type { Project } from '../core/project.ts';
import type { BacklogLists, RefreshOptions } from '../core/replica.ts';
import type { Story } from '../core/story.ts';
import type { Tracker } from '../core/tracker.ts';
import { ACTIVITY_LIMIT, type Cursor, cursorAfter, hasVersion, versionToAskFrom } from './cursor.ts';
import type { BacklogUpdate, HeldBacklog } from './heldBacklog.ts';
import { planRefresh, type RefreshPlan } from './planRefresh.ts';

export interface RefreshNeeds {
  readonly tracker: Tracker;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
}

type Part = Extract<RefreshPlan, { kind: 'part' }>;
type Found = Pick<BacklogUpdate, 'lists' | 'stories'>;

const DONE_PAGE = 5;
/** Activities that are told of when everything is read. */
const LATEST = 20;
/** Requests for single stories at the same time. */
const AT_ONCE = 4;
/** Answers about the feed of activities after which the project itself may still be readable. */
const NO_FEED: ReadonlySet<string> = new Set(['notFound', 'forbidden', 'refused', 'protocol', 'server']);

/** Asks what happened to a project since it was read, and reads that. Throws `TrackerError` and changes nothing itself. */
export async function refreshed(
  needs: RefreshNeeds,
  held: HeldBacklog,
  options: RefreshOptions,
): Promise<BacklogUpdate> {
  const { known, projectId } = held;
  if (!known) return wholeUpdate(needs, projectId, DONE_PAGE, options.onFirst);
  const now = needs.now();
  const [project, activities] = await Promise.all([
    (options.isListed && held.listed) || needs.tracker.getProject(projectId),
    newActivities(needs, projectId, known.cursor),
  ]);
  const { isWritten = false, isAskedFor = false } = options;
  const news = { project, now, isWritten, isAskedFor, ...(activities && { activities }) };
  const plan = planRefresh(known, news);
  if (plan.kind === 'part') return partUpdate(needs, held, plan, project);
  needs.log.info(`project ${projectId} is read as a whole: ${plan.why}`);
  return wholeUpdate(needs, projectId, doneToRead(held, options));
}

/** Older done iterations are read again only while somebody sees them. */
function doneToRead({ lists }: HeldBacklog, { mark }: RefreshOptions): number {
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
    if (thrown instanceof TrackerError && NO_FEED.has(thrown.kind)) return undefined;
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
  const told = onFirst && ((iteration: Iteration) => onFirst({ project, iteration }));
  const found = await foundInLists(needs, projectId, undefined, done, told);
  return { project, ...found, ...latest, readAt, isWhole: true };
}

async function partUpdate(
  needs: RefreshNeeds,
  held: HeldBacklog,
  { cursor, fresh, lists, done, storyIds }: Part,
  project: Project,
): Promise<BacklogUpdate> {
  const readAt = needs.now();
  const doneCount = Math.max(DONE_PAGE, held.lists.done.length);
  const [open, single] = await Promise.all([
    lists || done
      ? foundInLists(needs, held.projectId, lists ? undefined : held.lists, done ? doneCount : held.lists)
      : { lists: held.lists, stories: [] },
    singleStories(needs, held.projectId, storyIds),
  ]);
  const stories = [...single.stories, ...open.stories];
  const found = { lists: without(open.lists, single.gone), stories, activities: fresh };
  return { project, cursor, ...found, readAt, isWhole: false };
}

/** Reads the open lists unless they are given, and the done iterations when told how many. */
async function foundInLists(
  { tracker }: RefreshNeeds,
  projectId: number,
  open: BacklogLists | undefined,
  done: number | BacklogLists,
  onFirst?: (iteration: Iteration) => void,
): Promise<Found> {
  const [iterations, icebox, older] = await Promise.all([
    open ? [] : tracker.currentBacklog(projectId, onFirst && { onFirst }),
    open ? [] : tracker.listStories(projectId, { filter: 'state:unscheduled' }),
    typeof done === 'number' ? tracker.listIterations(projectId, 'done', { limit: done, offset: -done }) : [],
  ]);
  const read = listsOf({ iterations, icebox, done: older });
  return {
    lists: { ...(open ?? read), done: typeof done === 'number' ? read.done : done.done },
    stories: [...storiesIn(older), ...storiesIn(iterations), ...icebox],
  };
}

function storiesIn(iterations: readonly Iteration[]): readonly Story[] {
  return iterations.flatMap(({ stories }) => stories);
}

async function singleStories({ tracker }: RefreshNeeds, projectId: number, storyIds: readonly number[]) {
  const stories: Story[] = [];
  const gone = new Set<number>();
  const waiting = [...storyIds];
  const work = async () => {
    for (let storyId = waiting.shift(); storyId !== undefined; storyId = waiting.shift()) {
      const story = await unlessGone(tracker.getStory({ projectId, storyId }));
      if (story) stories.push(story);
      else gone.add(storyId);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { stories, gone };
}

async function unlessGone(answer: Promise<Story>): Promise<Story | undefined> {
  try {
    return await answer;
  } catch (thrown) {
    if (thrown instanceof TrackerError && thrown.kind === 'notFound') return undefined;
    throw thrown;
  }
}

function without(lists: BacklogLists, gone: ReadonlySet<number>): BacklogLists {
  if (gone.size === 0) return lists;
  const kept = (ids: readonly number[]) => ids.filter((id) => !gone.has(id));
  const thinned = (iterations: BacklogLists['done']) =>
    iterations.map((iteration) => ({ ...iteration, storyIds: kept(iteration.storyIds) }));
  return { iterations: thinned(lists.iterations), icebox: kept(lists.icebox), done: thinned(lists.done) };
}
