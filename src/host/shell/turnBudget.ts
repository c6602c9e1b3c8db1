import { setImmediate as nextTurn } from 'node:timers/promises';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { TimeBudget } from '../../core/timeBudget.ts';

/** Longest time, in milliseconds, for which all work that gives way together keeps the extension host from other work. */
const SLICE_MS = 2;

/** What all such work together has in a turn of the event loop, of which a thread has one. */
const budget = new TimeBudget(SLICE_MS, {
  now: () => performance.now(),
  pause: nextTurn,
  atTurnEnd: (run) => void setImmediate(run),
});

/** Goes on in the next turn. */
export function giveWay(): Promise<void> {
  return budget.giveWay();
}

/** Work that offers to give way after so many items, and gives its result at the end. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Items that are looked at between two offers to give way. */
const STEP = 256;

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

/** The items in the order of `compare`, equal ones as they were: sorted in small parts, which are merged. */
export function* sorting<T>(items: readonly T[], compare: (one: T, other: T) => number): Steps<readonly T[]> {
  let parts: (readonly T[])[] = [];
  for (let start = 0; start < items.length; start += STEP) {
    parts.push(items.slice(start, start + STEP).sort(compare));
    yield;
  }
  while (parts.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let index = 0; index < parts.length; index += 2) {
      merged.push(yield* merging(parts[index] ?? [], parts[index + 1] ?? [], compare));
    }
    parts = merged;
  }
  return parts[0] ?? [];
}

function* merging<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
): Steps<readonly T[]> {
  const merged: T[] = [];
  const [left, right] = [one.values(), other.values()];
  let [first, second] = [left.next(), right.next()];
  while (!first.done || !second.done) {
    if (second.done || (!first.done && compare(first.value, second.value) <= 0)) {
      if (!first.done) merged.push(first.value);
      first = left.next();
    } else {
      merged.push(second.value);
      second = right.next();
    }
    if (merged.length % STEP === 0) yield;
  }
  return merged;
}

/** The result of the work, given way to others every few milliseconds; `undefined` once `signal` is aborted. */
export async function stepwise<T>(steps: Steps<T>, signal?: AbortSignal): Promise<T | undefined> {
  budget.begin();
  for (;;) {
    if (signal?.aborted) return undefined;
    const { done, value } = steps.next();
    if (done) return value;
    if (budget.isSpent) await giveWay();
  }
}

const LOOK_AT_CLOCK_EVERY = 64;

/** Visits every item and gives way in between, so that long lists hold nobody up. Ends early once `signal` is aborted. */
export async function inSlices<T>(
  items: readonly T[],
  visit: (item: T) => void,
  signal?: AbortSignal | undefined,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % LOOK_AT_CLOCK_EVERY === 0 && budget.isSpent) await giveWay();
    if (signal?.aborted) return;
    visit(item);
  }
}

/** Does many small pieces of work in the order in which they come, and gives way when a turn has taken long enough. */
export class Turns {
  private readonly waiting: (() => void)[] = [];
  private isCalled = false;

  /** At once when there is time for it in this turn. */
  take<T>(work: () => T): T | Promise<T> {
    if (this.waiting.length === 0 && !budget.isSpent) return work();
    this.call();
    return new Promise((resolve, reject) => {
      this.waiting.push(() => {
        try {
          resolve(work());
        } catch (thrown) {
          reject(thrown);
        }
      });
    });
  }

  private call(): void {
    if (this.isCalled) return;
    this.isCalled = true;
    setImmediate(() => this.next());
  }

  /** At least one piece, so that it goes on however much others do. */
  private next(): void {
    this.isCalled = false;
    budget.begin();
    do this.waiting.shift()?.();
    while (this.waiting.length > 0 && !budget.isSpent);
    if (this.waiting.length > 0) this.call();
  }
}

/** Leaves work to itself: what fails is logged, because a view shows it anyway or it is of no consequence to what is shown. */
export function inBackground(log: Log, work: Promise<unknown>): void {
  work.catch((thrown: unknown) => log.warn(messageOf(thrown)));
}
