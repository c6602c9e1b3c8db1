import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which long work may hold the thread. */
const SLICE = 4;

let sliceBegan = 0;
let lastTurn: Promise<void> = Promise.resolve();

/** To be awaited between the small steps of long work; waits only when the thread was held for a slice. */
export async function rest(): Promise<void> {
  if (performance.now() - sliceBegan >= SLICE) await newSlice();
}

/** To be awaited before a step that may take long by itself. Of several long works one at a time has a slice. */
export async function newSlice(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  await lastTurn;
  sliceBegan = performance.now();
}
