import { join } from 'node:path';
import { prepareDataFolder } from './dataFolder.ts';
import type { Database } from './store/database.ts';
import { openSqlite } from './store/openSqlite.ts';

/** In the data folder, where no other database is named. */
export const DATABASE_FILE = 'story-tracker.db';

export interface StoreOptions {
  /** Address of a PostgreSQL database, which then holds all but the files. */
  readonly database?: string;
  /** Milliseconds for which a write waits while another process holds the store. */
  readonly lockPatience?: number;
}

/** The store in a data folder, which is made when it is missing, or in the database named. */
export async function openStore(
  dataFolder: string,
  { database, lockPatience }: StoreOptions = {},
): Promise<{ readonly folder: string; readonly database: Database }> {
  const folder = await prepareDataFolder(dataFolder);
  if (database === undefined) return { folder, database: await openSqlite(join(folder, DATABASE_FILE), lockPatience) };
  const { openPostgres } = await import('./store/openPostgres.ts').catch(missingPart);
  return { folder, database: await openPostgres(database, lockPatience) };
}

/** The extension's own copy of the service has no use for it and comes without. */
function missingPart(error: unknown): never {
  const isMissing = error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND');
  if (!isMissing) throw error;
  throw new Error(
    'This copy of the service came without postgres.js, its part for PostgreSQL. Take the whole service: `npm run build` leaves both in dist.',
    { cause: error },
  );
}
