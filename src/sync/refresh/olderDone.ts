import { listsOf } from '../../core/replica/backlogWithChanges.ts';
import type { BacklogUpdate, HeldBacklog } from '../replica/backlogSnapshot.ts';
import type { RefreshNeeds } from './readFromServer.ts';
import { refreshed } from './refresh.ts';

/** The backlog as it is held, with so many more done iterations before those that it has. */
export async function withOlderDone(needs: RefreshNeeds, held: HeldBacklog, count: number): Promise<BacklogUpdate> {
  const { known, projectId } = held;
  if (!known) return refreshed(needs, held, {});
  const { lists } = held.kept;
  const page = { limit: count, offset: -(lists.done.length + count) };
  const older = await needs.tracker.listIterations(projectId, 'done', page);
  const isKnown = (number: number) => lists.done.some((one) => one.number === number);
  const added = older.filter(({ number }) => !isKnown(number));
  const { done } = listsOf({ iterations: [], icebox: [], done: added });
  const { project, cursor, readAt } = known;
  return {
    ...{ project, readAt, isWhole: false, lists: { ...lists, done: [...done, ...lists.done] } },
    ...{ stories: added.flatMap(({ stories }) => stories), activities: [], ...(cursor && { cursor }) },
  };
}
