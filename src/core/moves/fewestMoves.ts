import type { MovePlace } from '../backlog/ordering.ts';

/** Next to which story something is put. */
export interface Spot {
  readonly place: MovePlace;
  readonly targetId: number;
}

/** One story put next to another. */
interface Placement {
  readonly storyId: number;
  readonly spot: Spot;
}

/** Which of the stories to move stay, as a part of them from `from` to `to`, and how many others make room for that. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/**
 * The fewest single moves that bring `block` together next to a story of `order` that is not in it. What already stands
 * right among the block stays; where fewer others than moved ones are in the way, it is those that go past the block.
 * Stories of the block that are not in `order` are to come from elsewhere.
 */
export function fewestMoves(order: readonly number[], block: readonly number[], spot: Spot): readonly Placement[] {
  const moved = new Set(block);
  const others = order.filter((id) => !moved.has(id));
  const above = others.indexOf(spot.targetId) + (spot.place === 'after' ? 1 : 0);
  const positions = positionsOf(moved, order);
  const present = block.filter((id) => positions.has(id));
  const indexes = present.map((id) => positions.get(id) ?? 0);
  const run = indexes.every((at, index) => at > (indexes[index - 1] ?? -1)) ? runThatStays(indexes, above) : undefined;
  if (!run) return chained(block, spot);
  const first = present[run.from] ?? 0;
  /** How many others come before a story of the block. */
  const othersAhead = (index: number) => (indexes[index] ?? 0) - index;
  const stays = new Set(present.slice(run.from, run.to + 1));
  const end = block.at(-1) ?? first;
  return [
    ...others.slice(othersAhead(run.from), above).map((storyId) => before(storyId, first)),
    ...gathered(block, stays, first),
    ...chained(others.slice(above, Math.max(above, othersAhead(run.to))), { place: 'after', targetId: end }),
  ];
}

/** Where those of the stories stand that are in the order. */
function positionsOf(storyIds: ReadonlySet<number>, order: readonly number[]): ReadonlyMap<number, number> {
  const positions = new Map<number, number>();
  for (let at = 0; at < order.length; at += 1) {
    const id = order[at] ?? 0;
    if (storyIds.has(id)) positions.set(id, at);
  }
  return positions;
}

/**
 * The part of the block that stays: that with which the fewest stories move and, of such, the fewest that nobody chose.
 * `undefined` when it is best to move all. `indexes` are those of the block in the order, rising; `above` is how many
 * others come before it in the end.
 */
function runThatStays(indexes: readonly number[], above: number): Run | undefined {
  const weight = indexes.length + 1;
  const others = indexes.map((at, index) => at - index);
  let best: { readonly cost: number; readonly run: Run } | undefined;
  let start: { readonly cost: number; readonly from: number } | undefined;
  for (const [index, ahead] of others.entries()) {
    const startCost = index * weight + Math.max(0, above - ahead) * (weight + 1);
    if (!start || startCost < start.cost) start = { cost: startCost, from: index };
    const endCost = (indexes.length - 1 - index) * weight + Math.max(0, ahead - above) * (weight + 1);
    const cost = start.cost + endCost;
    if (!best || cost < best.cost) best = { cost, run: { from: start.from, to: index } };
  }
  return best && best.cost < indexes.length * weight ? best.run : undefined;
}

/** Those of the block that do not stay, around those that do. */
function gathered(block: readonly number[], stays: ReadonlySet<number>, first: number): readonly Placement[] {
  const head = block.indexOf(first);
  return block.flatMap((storyId, index) => {
    if (stays.has(storyId)) return [];
    return index < head ? [before(storyId, first)] : [after(storyId, block[index - 1] ?? first)];
  });
}

/** Each behind the one before, the first at the spot. */
function chained(storyIds: readonly number[], spot: Spot): readonly Placement[] {
  return storyIds.map((storyId, index) => {
    const previous = storyIds[index - 1];
    return previous === undefined ? { storyId, spot } : after(storyId, previous);
  });
}

function before(storyId: number, targetId: number): Placement {
  return { storyId, spot: { place: 'before', targetId } };
}

function after(storyId: number, targetId: number): Placement {
  return { storyId, spot: { place: 'after', targetId } };
}
