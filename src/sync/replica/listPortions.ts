import type { BacklogLists, PlacedIteration } from '../../core/replica/replica.ts';

const IDS = 2000;
const ITERATIONS = 100;
const NONE: BacklogLists = { iterations: [], icebox: [], done: [] };

/** The lists in parts that are short enough to be taken in at once, one at least; an iteration is never divided. */
export function* listPortions({ iterations, icebox, done }: BacklogLists): Generator<BacklogLists, void> {
  if (iterations.length + icebox.length + done.length === 0) yield NONE;
  for (const some of fewAtOnce(iterations)) yield { ...NONE, iterations: some };
  for (let from = 0; from < icebox.length; from += IDS) yield { ...NONE, icebox: icebox.slice(from, from + IDS) };
  for (const some of fewAtOnce(done)) yield { ...NONE, done: some };
}

function* fewAtOnce(iterations: readonly PlacedIteration[]): Generator<readonly PlacedIteration[], void> {
  let some: PlacedIteration[] = [];
  let ids = 0;
  for (const iteration of iterations) {
    some.push(iteration);
    ids += iteration.storyIds.length;
    if (some.length < ITERATIONS && ids < IDS) continue;
    yield some;
    [some, ids] = [[], 0];
  }
  if (some.length > 0) yield some;
}
