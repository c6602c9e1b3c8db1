import { constants } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds in which signals are one: a terminal sends its to a program, and who started the program passes it on. */
const ONE_AND_THE_SAME = 1_000;

/**
 * Settles when the process is told to stop: by a signal, or, where asked, by its standard input closing. Who then tells it
 * again does not want to wait: it ends at once, as if the signal had ended it.
 */
export function stopSignal(watchInput: boolean): Promise<void> {
  return new Promise((resolve) => {
    let toldAt: number | undefined;
    const stop = (): void => {
      toldAt ??= performance.now();
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (toldAt !== undefined && performance.now() - toldAt > ONE_AND_THE_SAME) {
          process.exit(128 + constants.signals[signal]);
        }
        stop();
      });
    }
    if (!watchInput) return;
    process.stdin.on('end', stop).on('close', stop).on('error', stop);
    process.stdin.resume();
  });
}

/** Milliseconds that a start has to come to its end once it is not wanted any more. */
const PATIENCE = 5_000;

/** What a start gives. Throws when it is told to stop and does not come to its end, as before a database that says nothing. */
export function startOrStop<T>(started: Promise<T>, stopped: Promise<void>, patience = PATIENCE): Promise<T> {
  const givenUp = stopped.then(async (): Promise<never> => {
    await wait(patience, undefined, { ref: false });
    throw new Error('The service was stopped before it started.');
  });
  return Promise.race([started, givenUp]);
}
