import type { Backlog } from '../../core/backlog/backlog.ts';
import { type Line, lineOf } from './formerPositions.ts';
import type { PossibleMove } from './movePlan.ts';

/** What came out otherwise than it was shown: the moved stories stand elsewhere, or the one they were put next to does. */
export type ConcurrentMove = { readonly moved: 'stories' | 'target'; readonly storyId: number };

/** What others did to an order while a move was on its way, as far as the lists tell it for sure. */
export function concurrentMove(
  shown: Backlog,
  now: Backlog,
  { storyIds, spot }: PossibleMove,
): ConcurrentMove | undefined {
  const [first] = storyIds;
  if (!spot || first === undefined) return undefined;
  const { place, targetId } = spot;
  const [expected, line] = [lineOf(shown, targetId), lineOf(now, targetId)];
  if (!line) return { moved: 'stories', storyId: first };
  if (!expected || line.kind !== expected.kind) return undefined;
  const beside = storyIds.filter((id) => expected.storyIds.includes(id));
  const block = place === 'before' ? [...beside, targetId] : [targetId, ...beside];
  const at = line.storyIds.indexOf(block[0] ?? 0);
  if (block.some((id, index) => at < 0 || line.storyIds[at + index] !== id)) {
    return { moved: 'stories', storyId: first };
  }
  const [before, after] = [expected, line].map((one) => neighbours(one, targetId, storyIds));
  const isElsewhere = before?.every((id, side) => id !== after?.[side]);
  return isElsewhere ? { moved: 'target', storyId: targetId } : undefined;
}

/** What stands before and after a story, but for those that were moved. */
function neighbours({ storyIds }: Line, storyId: number, moved: readonly number[]) {
  const at = storyIds.indexOf(storyId);
  const other = (step: -1 | 1) => {
    let index = at + step;
    while (moved.includes(storyIds[index] ?? 0)) index += step;
    return storyIds[index];
  };
  return [other(-1), other(1)];
}
