import { join } from 'node:path';
import { prepareDataFolder } from './dataFolder.ts';
import type { Database } from './store/database.ts';
import { openSqlite } from './store/openSqlite.ts';

/** In the data folder. */
export const DATABASE_FILE = 'story-tracker.db';

/** The store in a data folder, which is made when it is missing. */
export async function openStore(
  dataFolder: string,
  lockPatience?: number,
): Promise<{ readonly folder: string; readonly database: Database }> {
  const folder = await prepareDataFolder(dataFolder);
  return { folder, database: await openSqlite(join(folder, DATABASE_FILE), lockPatience) };
}
