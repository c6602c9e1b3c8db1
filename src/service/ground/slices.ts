import { setImmediate as nextTurn } from 'node:timers/promises';
import { TimeBudget } from '../../core/timeBudget.ts';

/** Milliseconds for which long work may hold the thread. */
export const SLICE_MS = 4;
/** Milliseconds after which one of several transactions that make a long change lets others have theirs. */
const TRANSACTION_MS = 50;
/** Milliseconds for which work waits at most while connections are coming in. */
const ARRIVAL_MS = 20;

let isArriving = false;

/** Time for work that goes on over many turns of the event loop: a slice of each, one after the other for all who ask for more of it. */
export function slicesOfTurns(): TimeBudget {
  let lastTurn: Promise<void> = Promise.resolve();
  return new TimeBudget(SLICE_MS, {
    now: () => performance.now(),
    pause: () => {
      lastTurn = lastTurn.then(quietTurn);
      return lastTurn;
    },
  });
}

const budget = slicesOfTurns();

/** To be awaited between the small steps of long work; waits only when the thread was held for a slice. */
export function rest(): Promise<void> {
  return budget.rest();
}

/** To be awaited before a step that may take long by itself. Of several long works one at a time has a slice. */
export function newSlice(): Promise<void> {
  return budget.giveWay();
}

/** Tells of a transaction whose work begins now whether it has lasted its share, and the rest is for another one. */
export function shareOfTransaction(): () => boolean {
  const end = performance.now() + TRANSACTION_MS;
  return () => performance.now() >= end;
}

/**
 * To be called when a connection comes in. One comes in a turn of the event loop, however many wait: work that takes turns waits for
 * a turn without one, lest whoever comes last wait for hundreds of its slices.
 */
export function noteArrival(): void {
  if (isArriving) return;
  isArriving = true;
  setImmediate(() => {
    isArriving = false;
  });
}

/** Whether work that began or went on at the given moment is to wait because connections are coming in. */
export function waitsForArrivals(since: number): boolean {
  return isArriving && performance.now() - since < ARRIVAL_MS;
}

async function quietTurn(): Promise<void> {
  const since = performance.now();
  do await nextTurn();
  while (waitsForArrivals(since));
}
