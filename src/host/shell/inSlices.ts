import { giveWay, isTurnSpent } from './turnBudget.ts';

const LOOK_AT_CLOCK_EVERY = 64;

/** Visits every item and gives way in between, so that long lists hold nobody up. Ends early once `signal` is aborted. */
export async function inSlices<T>(
  items: readonly T[],
  visit: (item: T) => void,
  signal?: AbortSignal | undefined,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % LOOK_AT_CLOCK_EVERY === 0 && isTurnSpent()) await giveWay();
    if (signal?.aborted) return;
    visit(item);
  }
}
