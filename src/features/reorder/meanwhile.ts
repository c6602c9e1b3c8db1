import type { Backlog } from '../../core/backlog.ts';
import { areaOf, movableIn, type PossibleMove } from './movePlan.ts';

/** What came out otherwise than it was shown: the moved stories stand elsewhere, or the one they were put next to does. */
export type Meanwhile = { readonly moved: 'stories' | 'target'; readonly storyId: number };

/** What others did to an order while a move was on its way. */
export function meanwhile(shown: Backlog, now: Backlog, { storyIds, spot }: PossibleMove): Meanwhile | undefined {
  const [first] = storyIds;
  if (!spot || first === undefined) return undefined;
  const area = areaOf(shown, first);
  if (!area) return undefined;
  const [expected, order] = [movableIn(shown, area), movableIn(now, area)];
  const block = spot.place === 'before' ? [...storyIds, spot.targetId] : [spot.targetId, ...storyIds];
  const at = order.indexOf(block[0] ?? 0);
  if (at < 0 || block.some((id, index) => order[at + index] !== id)) return { moved: 'stories', storyId: first };
  const [before, after] = [expected, order].map((ids) => neighbours(ids, spot.targetId, storyIds));
  const isElsewhere = before?.every((id, side) => id !== after?.[side]);
  return isElsewhere ? { moved: 'target', storyId: spot.targetId } : undefined;
}

/** What stands before and after a story, but for those that were moved. */
function neighbours(order: readonly number[], storyId: number, moved: readonly number[]) {
  const others = order.filter((id) => !moved.includes(id));
  const at = others.indexOf(storyId);
  return [others[at - 1], others[at + 1]];
}
