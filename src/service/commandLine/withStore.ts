import { defaultDataFolder, prepareDataFolder } from '../ground/dataFolder.ts';
import type { Database } from '../store/database.ts';
import { type OpenedStore, openStore } from '../store/openStore.ts';
import { readDatabase, readDataFolder } from './options.ts';
import { dataFailure, startFailure } from './startFailure.ts';

/** The options by which a command says where the data is. */
export const storeOptions = {
  data: { type: 'string', value: 'DIR', help: 'folder of the data', usually: defaultDataFolder() },
  database: {
    type: 'string',
    value: 'URL',
    help: 'PostgreSQL database of the data, such as postgres://ada@db.example.org/tracker; the folder then holds the attachments only. Leave the password to PGPASSWORD or ~/.pgpass',
  },
} as const;

export interface StorePlace {
  readonly data?: string | undefined;
  readonly database?: string | undefined;
}

/** Works on the store while others may be serving it, and closes it. Throws, and makes nothing, where there is none. */
export async function withStore<T>(given: StorePlace, work: (database: Database) => Promise<T>): Promise<T> {
  return withOpenStore(given, ({ database }) => work(database));
}

/** The same for work that needs the folder of the data too. */
export async function withOpenStore<T>(given: StorePlace, work: (store: OpenedStore) => Promise<T>): Promise<T> {
  return inStore(given, { mustExist: true }, work);
}

/** The same for work with which a store may begin: it is made where there is none. */
export async function withStoreMade<T>(given: StorePlace, work: (store: OpenedStore) => Promise<T>): Promise<T> {
  return inStore(given, { mustExist: false }, work);
}

async function inStore<T>(
  given: StorePlace,
  { mustExist }: { readonly mustExist: boolean },
  work: (store: OpenedStore) => Promise<T>,
): Promise<T> {
  const place = { data: readDataFolder(given.data), ...readDatabase(given.database) };
  if (mustExist && place.database !== undefined && given.data === undefined) await prepareDataFolder(place.data);
  const store = await openStore(place.data, { ...place, mustExist }).catch((error: unknown) => {
    throw startFailure(error, place);
  });
  try {
    return await work(store);
  } catch (error) {
    throw dataFailure(error, place);
  } finally {
    await store.database.close();
  }
}
