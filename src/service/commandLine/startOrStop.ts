import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds that a start has to come to its end once it is not wanted any more. */
const PATIENCE = 5_000;

/** What a start gives. Throws when it is told to stop and does not come to its end, as before a database that says nothing. */
export function startOrStop<T>(started: Promise<T>, stopped: Promise<void>, patience = PATIENCE): Promise<T> {
  const givenUp = stopped.then(async (): Promise<never> => {
    await wait(patience, undefined, { ref: false });
    throw new Error('It was told to stop before it had started.');
  });
  return Promise.race([started, givenUp]);
}
