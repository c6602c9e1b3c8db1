import { setImmediate as nextTurn } from 'node:timers/promises';

/** Longest time, in milliseconds, for which all work that gives way together keeps the extension host from other work. */
const SLICE_MS = 2;

/** When the first of it began in this turn of the event loop, of which a thread has one. */
let begun: number | undefined;

/** To be called before such work. */
export function beginTurn(): number {
  if (begun === undefined) {
    begun = performance.now();
    setImmediate(() => {
      begun = undefined;
    });
  }
  return begun;
}

/** Whether such work has had its time in this turn, whoever did it. */
export function isTurnSpent(): boolean {
  return performance.now() - beginTurn() >= SLICE_MS;
}

/** Goes on in the next turn. */
export async function giveWay(): Promise<void> {
  await nextTurn();
  beginTurn();
}
