import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { silentServiceLog } from '../ground/background.ts';
import { prepareDataFolder } from '../ground/dataFolder.ts';
import { missingPart, StoreUnavailable } from '../ground/errors.ts';
import type { Database } from './database.ts';
import { sqlState } from './postgres/postgresErrors.ts';
import { risingVersions } from './risingVersions.ts';
import { openSqlite, type SqliteOptions } from './sqlite/openSqlite.ts';
import { diskTrouble } from './sqlite/sqliteErrors.ts';

/** In the data folder, where no other database is named. */
export const DATABASE_FILE = 'story-tracker.db';

/** In the data folder: the highest version of an activity that was given by services on it, whichever database it is kept in. */
const VERSION_FILE = 'activity-version';

export interface StoreOptions extends SqliteOptions {
  /** Address of a PostgreSQL database, which then holds all but the files. */
  readonly database?: string;
  /** Whether to throw `NoDataError`, and make nothing, where no store was begun yet. */
  readonly mustExist?: boolean;
}

/** There is nothing where the data should be: a folder or database was likely mistyped. */
export class NoDataError extends Error {
  override readonly name = 'NoDataError';

  constructor(folder: string) {
    super(`There is no data in ${folder}. Name its folder with --data.`);
  }
}

export interface OpenedStore {
  /** Absolute path of the data folder. */
  readonly folder: string;
  readonly database: Database;
  /** The file of the database where there was none before. */
  readonly madeFile?: string;
}

/** The store in a data folder, which is made when it is missing, or in the database named. */
export async function openStore(dataFolder: string, options: StoreOptions = {}): Promise<OpenedStore> {
  const isThere = await hasData(resolve(dataFolder), options);
  if (options.mustExist && !isThere) throw new NoDataError(resolve(dataFolder));
  const folder = await prepareDataFolder(dataFolder);
  const database = await openDatabase(folder, options);
  const { log = silentServiceLog } = options;
  const made = options.database === undefined && !isThere ? { madeFile: join(folder, DATABASE_FILE) } : {};
  return { folder, ...made, database: await risingVersions(troubledWrites(database), join(folder, VERSION_FILE), log) };
}

/** Of data in a server, whether its folder is there: whether the database is empty is asked where it is. */
async function hasData(folder: string, { database }: StoreOptions): Promise<boolean> {
  if (database !== undefined) return (await stat(folder).catch(ignoreMissing)) !== undefined;
  const found = await stat(join(folder, DATABASE_FILE)).catch(ignoreMissing);
  return found !== undefined && found.size > 0;
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
    return undefined;
  throw error;
}

async function openDatabase(folder: string, options: StoreOptions): Promise<Database> {
  const { database, lockPatience, mustExist } = options;
  if (database === undefined) return openSqlite(join(folder, DATABASE_FILE), options);
  const { openPostgres } = await import('./postgres/openPostgres.ts').catch(
    missingPart('postgres.js', 'for PostgreSQL'),
  );
  return openPostgres(database, { lockPatience, mustExist });
}

/** Milliseconds for which a change that found no room is remembered: who is sent away may come back and try. */
const MEMORY = 30_000;
const DISK_FULL = '53100';
const SENTENCE =
  'The last change found no room on the disk of this service, or could not be written there. Reads go on.';

/**
 * The same store, which is not writable either for half a minute after a change failed for its disk, unless another one was made since.
 * `clock` gives milliseconds and never goes back.
 */
export function troubledWrites(database: Database, clock: () => number = () => performance.now()): Database {
  let failedAt = Number.NEGATIVE_INFINITY;
  return {
    ...database,
    write: async (work) => {
      try {
        const made = await database.write(work);
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
