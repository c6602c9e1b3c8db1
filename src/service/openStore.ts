import { join } from 'node:path';
import { prepareDataFolder } from './dataFolder.ts';
import { missingPart } from './missingPart.ts';
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
  const { openPostgres } = await import('./store/openPostgres.ts').catch(missingPart('postgres.js', 'for PostgreSQL'));
  return { folder, database: await openPostgres(database, lockPatience) };
}
