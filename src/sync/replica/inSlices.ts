import { setImmediate as nextTurn } from 'node:timers/promises';
import { TimeBudget } from '../../core/timeBudget.ts';

/** Items that are used at once, in one message or one look at the file. */
const PORTION = 250;
/** Milliseconds for which this may hold the thread before others get a turn. */
const SLICE_MS = 2;

/** Runs over a long list in portions, letting everything else have its turn in between when they took long. */
export async function inSlices<T>(items: readonly T[], use: (portion: readonly T[]) => unknown): Promise<void> {
  const budget = new TimeBudget(SLICE_MS, { now: () => performance.now(), pause: nextTurn });
  budget.begin();
  for (let from = 0; from < items.length; from += PORTION) {
    if (from > 0) await budget.rest();
    await use(items.slice(from, from + PORTION));
  }
}
