import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until `claim` no longer throws and gives what it returns; throws its last error after some seconds. */
export async function eventually<T>(claim: () => T | Promise<T>, milliseconds = 20_000): Promise<T> {
  const until = Date.now() + milliseconds;
  for (;;) {
    try {
      return await claim();
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(50);
    }
  }
}
