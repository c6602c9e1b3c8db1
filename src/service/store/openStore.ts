import { constants, open, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ServiceLog, silentServiceLog } from '../ground/background.ts';
import { prepareDataFolder } from '../ground/dataFolder.ts';
import { errorCode, missingPart } from '../ground/errors.ts';
import { knowGiven, VERSION_LEAP } from './counters.ts';
import type { Database } from './database.ts';
import { openSqlite, type SqliteOptions } from './sqlite/openSqlite.ts';
import { troubledWrites } from './troubledWrites.ts';

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
    super(`Could not find data in ${folder}. Pass its folder with --data.`);
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
  if (['ENOENT', 'ENOTDIR'].includes(errorCode(error))) return undefined;
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

/** Milliseconds after which a version that was given is noted. */
const NOTE_PAUSE = 2_000;
/** Milliseconds for which a change believes what it read of the note, which other processes write, too. */
const TRUST_MS = 1_000;
/** Of any whole number that JavaScript knows. */
const WIDTH = 16;

const SET_BACK = 'The database was reset to an earlier state. New activities get numbers that were not used before.';

/**
 * The same store, which gives no version of an activity twice, though a copy from before be put in place of the database: whoever
 * asks for what is newer than a version that they know would otherwise not see what comes after it (protocol.md, Activity `version`).
 * `noteFile` holds, outside of the database, the highest version that is known to have been given.
 */
async function risingVersions(database: Database, noteFile: string, log: ServiceLog): Promise<Database> {
  const note = new VersionNote(noteFile);
  await note.read();
  return {
    ...database,
    write: async (work, caller) => {
      let versions: ReturnType<typeof knowGiven> | undefined;
      if (note.isOld) await note.read();
      const result = await database.write((tx, end) => {
        versions = knowGiven(tx, note.highest, end);
        return work(tx);
      }, caller);
      if (versions?.taken === undefined) return result;
      const { given, taken } = versions;
      if (given > 0 && taken >= given + VERSION_LEAP) log({ event: 'warning', about: 'database', message: SET_BACK });
      note.raise(taken);
      return result;
    },
    close: async () => {
      await note.close();
      await database.close();
    },
  };
}

/** A number in a file that is written from time to time, never before the version is committed. */
class VersionNote {
  highest = 0;
  private readonly file: string;
  private noted = 0;
  /** By the clock that nobody sets. */
  private readAt = 0;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | undefined;

  constructor(file: string) {
    this.file = file;
  }

  /** Whether other processes may have noted something since it was read. */
  get isOld(): boolean {
    return performance.now() - this.readAt > TRUST_MS;
  }

  async read(): Promise<void> {
    this.readAt = performance.now();
    this.noted = Math.max(this.noted, await this.stored());
    this.highest = Math.max(this.highest, this.noted);
  }

  raise(version: number): void {
    this.highest = Math.max(this.highest, version);
    this.timer ??= setTimeout(() => void this.write(), NOTE_PAUSE).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  /** A note that cannot be written is one that is older, which is still better than none. */
  private write(): Promise<void> {
    this.timer = undefined;
    this.writing = this.writeHighest().catch(() => undefined);
    return this.writing;
  }

  private async writeHighest(): Promise<void> {
    const { highest, file } = this;
    if (highest <= Math.max(this.noted, await this.stored())) return;
    const note = await open(file, constants.O_WRONLY | constants.O_CREAT, 0o600);
    try {
      await note.write(`${String(highest).padStart(WIDTH)}\n`, 0); // In one piece over the one before.
    } finally {
      await note.close();
    }
    this.noted = highest;
  }

  private async stored(): Promise<number> {
    const text = await readFile(this.file, 'utf8').catch(() => '');
    return /^ *\d+\n$/.test(text) ? Number(text) : 0;
  }
}
