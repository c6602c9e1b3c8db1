import { beginTurn, giveWay, isTurnSpent } from './turnBudget.ts';

/** Work that offers to give way after so many items, and gives its result at the end. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Items that are looked at between two offers to give way. */
export const STEP = 256;

/** Visits every item and offers to give way in between. */
export function* visiting<T>(items: readonly T[], visit: (item: T) => void): Steps<void> {
  for (let start = 0; start < items.length; start += STEP) {
    for (const item of items.slice(start, start + STEP)) visit(item);
    yield;
  }
}

/** The items that pass, in their order. */
export function* choosing<T>(items: readonly T[], passes: (item: T) => boolean): Steps<readonly T[]> {
  const chosen: T[] = [];
  yield* visiting(items, (item) => {
    if (passes(item)) chosen.push(item);
  });
  return chosen;
}

/** The result of the work, given way to others every few milliseconds; `undefined` once `signal` is aborted. */
export async function stepwise<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T | undefined> {
  beginTurn();
  for (;;) {
    if (signal?.aborted) return undefined;
    const { done, value } = steps.next();
    if (done) return value;
    if (isTurnSpent()) await giveWay();
  }
}
