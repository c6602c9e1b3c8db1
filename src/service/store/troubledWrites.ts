import { StoreUnavailable } from '../ground/errors.ts';
import type { Database } from './database.ts';
import { sqlState } from './postgres/postgresErrors.ts';
import { diskTrouble } from './sqlite/sqliteErrors.ts';

/** Milliseconds for which a change that found no room is remembered: who is sent away may come back and try. */
const MEMORY = 30_000;
const DISK_FULL = '53100';
const SENTENCE = 'The last change could not be written to the disk of this service. Reading still works.';

/**
 * The same store, which is not writable either for half a minute after a change failed for its disk, unless another one was made since.
 * `clock` gives milliseconds and never goes back.
 */
export function troubledWrites(database: Database, clock: () => number = () => performance.now()): Database {
  let failedAt = Number.NEGATIVE_INFINITY;
  return {
    ...database,
    write: async (work, caller) => {
      try {
        const made = await database.write(work, caller);
        failedAt = Number.NEGATIVE_INFINITY;
        return made;
      } catch (error) {
        if (isOfDisk(error)) failedAt = clock();
        throw error;
      }
    },
    requireWritable: async () => {
      await database.requireWritable();
      if (clock() - failedAt < MEMORY) throw new StoreUnavailable(SENTENCE, { isTold: true });
    },
  };
}

/** PostgreSQL's own disk too, of which the store has made words for the caller. */
function isOfDisk(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return diskTrouble(error) !== undefined || [error, cause].some((each) => sqlState(each) === DISK_FULL);
}
