import { kindOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Tracker } from '../../core/ports/tracker.ts';
import { listsOf } from '../../core/replica/backlogWithChanges.ts';
import type { BacklogLists } from '../../core/replica/replica.ts';
import type { Iteration } from '../../core/story/iteration.ts';
import type { Story } from '../../core/story/story.ts';
import type { BacklogUpdate, OrderFacts } from '../replica/backlogSnapshot.ts';
import { placesOf } from '../replica/places.ts';

export interface RefreshNeeds {
  readonly tracker: Tracker;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: Log;
}

type Found = Required<Pick<BacklogUpdate, 'lists' | 'stories'>> & Pick<BacklogUpdate, 'order'>;

/** So many done iterations are read first. */
export const DONE_PAGE = 5;
/** Requests for single stories at the same time. */
const AT_ONCE = 4;

/** Reads the open lists unless they are given, and the done iterations when told how many. */
export async function foundInLists(
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
  const opened = [...storiesIn(iterations), ...icebox];
  return {
    lists: { ...(open ?? read), done: typeof done === 'number' ? read.done : done.done },
    stories: [...storiesIn(older), ...opened],
    ...(!open && { order: orderIn(opened) }),
  };
}

function orderIn(stories: readonly Story[]): OrderFacts {
  const places = placesOf(stories);
  return places ? { places } : {};
}

function storiesIn(iterations: readonly Iteration[]): readonly Story[] {
  return iterations.flatMap(({ stories }) => stories);
}

/** Asks for stories one by one; `gone` are those that are not there any more. */
export async function singleStories({ tracker }: RefreshNeeds, projectId: number, storyIds: readonly number[]) {
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
    if (kindOf(thrown) === 'notFound') return undefined;
    throw thrown;
  }
}
