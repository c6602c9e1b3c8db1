import type { Database, Tx } from '../store/database.ts';
import { hasJobs } from '../store/jobs/addJob.ts';

/** The same store, which says so at once when a job was committed through it. */
export function wakingDatabase(database: Database, wake: () => void): Database {
  return {
    ...database,
    write: async (work) => {
      let last: Tx | undefined;
      const result = await database.write((tx) => {
        last = tx;
        return work(tx);
      });
      if (last && hasJobs(last)) wake();
      return result;
    },
  };
}
