import { setImmediate as giveWay } from 'node:timers/promises';

/** Longest time, in milliseconds, that a slice keeps the extension host from other work. */
const SLICE_MS = 4;
const LOOK_AT_CLOCK_EVERY = 64;

/** Visits every item and gives way in between, so that long lists hold nobody up. Ends early once `signal` is aborted. */
export async function inSlices<T>(
  items: readonly T[],
  visit: (item: T) => void,
  signal?: AbortSignal | undefined,
): Promise<void> {
  let start = performance.now();
  for (const [index, item] of items.entries()) {
    if (index % LOOK_AT_CLOCK_EVERY === 0 && performance.now() - start > SLICE_MS) {
      await giveWay();
      start = performance.now();
    }
    if (signal?.aborted) return;
    visit(item);
  }
}
