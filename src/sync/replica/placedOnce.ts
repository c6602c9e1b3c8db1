import type { BacklogLists, PlacedIteration } from '../../core/replica/replica.ts';
import { numberedOnce } from './numberedOnce.ts';

/**
 * Every story where it is first: of lists that were read one after the other, two may hold a story that went from one
 * to the other meanwhile. The same lists where no story and no iteration is in two.
 */
export function placedOnce(given: BacklogLists): BacklogLists {
  const lists = numberedOnce(given);
  const seen = new Set<number>();
  let isDoubled = false;
  const once = (ids: readonly number[]) => {
    const first = ids.filter((id) => !seen.has(id) && seen.add(id));
    isDoubled ||= first.length < ids.length;
    return first;
  };
  const placed = (iterations: readonly PlacedIteration[]) =>
    iterations.map((iteration) => ({ ...iteration, storyIds: once(iteration.storyIds) }));
  const [iterations, icebox, done] = [placed(lists.iterations), once(lists.icebox), placed(lists.done)];
  return isDoubled ? { iterations, icebox, done } : lists;
}
