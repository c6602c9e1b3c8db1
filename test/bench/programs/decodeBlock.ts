/** `decodeBlock FILE`: the longest time in milliseconds that reading it keeps the event loop from its next turn. */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { iterationList } from '../../../src/client/answers.ts';
import { chunksOf } from '../support/chunks.ts';

/** Counts each turn of the event loop, which is what everybody else in the process waits for. */
async function longestTurnDuring(work: Promise<unknown>): Promise<number> {
  let longest = 0;
  let going = true;
  work.finally(() => {
    going = false;
  });
  for (let last = performance.now(); going; ) {
    await nextTurn();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return longest;
}

const bytes = readFileSync(process.argv[2] ?? '');
/** Begins in a turn of its own, so that its first piece counts like every other. */
const reading = nextTurn().then(() => iterationList(chunksOf(bytes)));
longestTurnDuring(reading).then((longest) => process.stdout.write(`${longest}\n`));
