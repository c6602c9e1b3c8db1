import { openStore } from '../openStore.ts';
import type { Database } from '../store/database.ts';
import { readDatabase, readDataFolder } from './options.ts';
import { startFailure } from './startFailure.ts';

/** The options by which a command says where the data is. */
export const storeOptions = { data: { type: 'string' }, database: { type: 'string' } } as const;

interface Place {
  readonly data?: string | undefined;
  readonly database?: string | undefined;
}

/** Works on the store while others may be serving it, and closes it. */
export async function withStore<T>(given: Place, work: (database: Database) => Promise<T>): Promise<T> {
  const place = { data: readDataFolder(given.data), ...readDatabase(given.database) };
  const { database } = await openStore(place.data, place).catch((error: unknown) => {
    throw startFailure(error, place);
  });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
