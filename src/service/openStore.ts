import { join } from 'node:path';
import { prepareDataFolder } from './dataFolder.ts';
import { missingPart } from './missingPart.ts';
import { silentServiceLog } from './serviceLog.ts';
import type { Database } from './store/database.ts';
import { openSqlite, type SqliteOptions } from './store/openSqlite.ts';
import { risingVersions } from './store/risingVersions.ts';
import { troubledWrites } from './store/troubledWrites.ts';

/** In the data folder, where no other database is named. */
export const DATABASE_FILE = 'story-tracker.db';

/** In the data folder: the highest version of an activity that was given by services on it, whichever database it is kept in. */
const VERSION_FILE = 'activity-version';

export interface StoreOptions extends SqliteOptions {
  /** Address of a PostgreSQL database, which then holds all but the files. */
  readonly database?: string;
}

/** The store in a data folder, which is made when it is missing, or in the database named. */
export async function openStore(
  dataFolder: string,
  options: StoreOptions = {},
): Promise<{ readonly folder: string; readonly database: Database }> {
  const folder = await prepareDataFolder(dataFolder);
  const database = await openDatabase(folder, options);
  const { log = silentServiceLog } = options;
  return { folder, database: await risingVersions(troubledWrites(database), join(folder, VERSION_FILE), log) };
}

async function openDatabase(folder: string, options: StoreOptions): Promise<Database> {
  const { database, lockPatience } = options;
  if (database === undefined) return openSqlite(join(folder, DATABASE_FILE), options);
  const { openPostgres } = await import('./store/openPostgres.ts').catch(missingPart('postgres.js', 'for PostgreSQL'));
  return openPostgres(database, lockPatience);
}
