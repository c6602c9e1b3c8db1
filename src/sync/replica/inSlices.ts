import { setImmediate } from 'node:timers/promises';

const SLICE = 250;

/** Runs over a long list in portions, letting everything else have its turn in between. */
export async function inSlices<T>(items: readonly T[], use: (slice: readonly T[]) => unknown): Promise<void> {
  for (let from = 0; from < items.length; from += SLICE) {
    if (from > 0) await setImmediate();
    await use(items.slice(from, from + SLICE));
  }
}
