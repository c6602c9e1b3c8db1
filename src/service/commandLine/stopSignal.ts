import { constants } from 'node:os';

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
