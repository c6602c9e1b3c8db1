import { TrackerError } from '../../../core/errors.ts';

const TRIES = 5;
/** Milliseconds; a server that asks for more patience than this is better told to the person. */
const LONGEST = 60_000;

/** What sending again needs. */
interface Patience {
  /** Milliseconds; rejects when the person gives up. */
  readonly wait: (pause: number) => Promise<void>;
  /** Whether the server has certainly not taken what it answered so. */
  readonly isSafe: (error: TrackerError) => Promise<boolean>;
}

/** Sends again what a server was too busy to take, as long as it says when it will be. @throws whatever `send` threw last. */
export async function whenNotBusy<T>(send: () => Promise<T>, { wait, isSafe }: Patience): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof TrackerError) || error.kind !== 'busy' || tried === TRIES) throw error;
      const { retryAfter } = error;
      if (retryAfter === undefined || retryAfter > LONGEST) throw error;
      await wait(retryAfter);
      if (!(await isSafe(error))) throw error;
    }
  }
}
