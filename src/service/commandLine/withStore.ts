import { join, resolve } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import type { FilesPlace } from '../attachments/openAttachmentFiles.ts';
import { defaultDataFolder, prepareDataFolder } from '../ground/dataFolder.ts';
import type { Database } from '../store/database.ts';
import { DATABASE_FILE, type OpenedStore, openStore } from '../store/openStore.ts';
import { isUnavailable, sqlState } from '../store/postgres/postgresErrors.ts';
import { diskTrouble, isBusy, resultCode } from '../store/sqlite/sqliteErrors.ts';
import { readDatabase, readDataFolder, readFiles } from './options.ts';

/** The options by which a command says where the data is. */
export const storeOptions = {
  data: { type: 'string', value: 'DIR', help: 'data folder', usually: defaultDataFolder() },
  database: {
    type: 'string',
    value: 'URL',
    help: 'PostgreSQL database for the data, such as postgres://ada@db.example.org/tracker. The folder then contains only attachments. Set the password in PGPASSWORD or ~/.pgpass',
  },
} as const;

/** The same with where the attached files are. */
export const dataOptions = {
  ...storeOptions,
  files: {
    type: 'string',
    value: 'URL',
    help: 'S3 bucket for the attached files, such as s3://tracker-files or s3://tracker-files/team?endpoint=https://s3.example.org. Set the credentials in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
    usually: 'the folder attachments in the data folder',
  },
} as const;

interface StorePlace {
  readonly data?: string | undefined;
  readonly database?: string | undefined;
}

interface DataPlace extends StorePlace {
  readonly files?: string | undefined;
}

/** A store, and where its files are. */
type OpenedData = OpenedStore & FilesPlace;

/** Works on the store while others may be serving it, and closes it. Throws, and makes nothing, where there is none. */
export async function withStore<T>(given: StorePlace, work: (database: Database) => Promise<T>): Promise<T> {
  return withOpenStore(given, ({ database }) => work(database));
}

/** The same for work that needs the attached files too. */
export async function withOpenStore<T>(given: DataPlace, work: (data: OpenedData) => Promise<T>): Promise<T> {
  return inStore(given, { mustExist: true }, work);
}

/** The same for work with which a store may begin: it is made where there is none. */
export async function withStoreMade<T>(given: DataPlace, work: (data: OpenedData) => Promise<T>): Promise<T> {
  return inStore(given, { mustExist: false }, work);
}

async function inStore<T>(
  given: DataPlace,
  { mustExist }: { readonly mustExist: boolean },
  work: (data: OpenedData) => Promise<T>,
): Promise<T> {
  const place = { data: readDataFolder(given.data), ...readDatabase(given.database) };
  const bucket = readFiles(given.files);
  if (mustExist && place.database !== undefined && given.data === undefined) await prepareDataFolder(place.data);
  const store = await openStore(place.data, { ...place, mustExist }).catch((error: unknown) => {
    throw startFailure(error, place);
  });
  try {
    return await work({ ...store, ...bucket });
  } catch (error) {
    throw dataFailure(error, place);
  } finally {
    await store.database.close();
  }
}

/** What was asked for when a start failed. */
interface StartPlace {
  readonly data: string;
  readonly database?: string;
  readonly host?: string;
  readonly port?: number;
}

/** A failed start in words that say what to do; what is not known here comes back as it is. */
export function startFailure(error: unknown, place: StartPlace): unknown {
  const sentence =
    folderSentence(error) ?? databaseSentence(error, place.database) ?? storeSentence(error, resolve(place.data));
  return inWords(error, sentence ?? systemSentence(error, place));
}

/** The same for what goes wrong with the database file later; of one in a server, the store says it in words. */
function dataFailure(error: unknown, { data }: StartPlace): unknown {
  return inWords(error, storeSentence(error, resolve(data)));
}

function inWords(error: unknown, sentence: string | undefined): unknown {
  return sentence === undefined ? error : new Error(sentence, { cause: error });
}

/** Of a folder that cannot be made, such as on a disk that is not there or read-only; a database that is not there has the same code. */
function folderSentence(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error) || !('path' in error)) return undefined;
  if (error.code !== 'ENOENT' || error.syscall !== 'mkdir') return undefined;
  return `Could not create the folder ${error.path}. Pass another one with --data.`;
}

/** Names the database without what it is opened with. */
function databaseSentence(error: unknown, database: string | undefined): string | undefined {
  const url = database === undefined ? undefined : URL.parse(database);
  if (!url) return undefined;
  const name = `${url.host}${url.pathname}`;
  const state = sqlState(error);
  if (state === '3D000') return `Could not find the database ${name}. Create it first, for example with createdb.`;
  if (state?.startsWith('28')) return `The database ${name} refused this user: ${messageOf(error)}.`;
  if (state === '42501')
    return `This user is not allowed to create tables in the database ${name}: ${messageOf(error)}.`;
  if (state === '42P01') return `The database ${name} is missing tables: ${messageOf(error)}. Restore a copy of it.`;
  if (isUnavailable(error)) return `Could not reach the database ${name}: ${messageOf(error)}.`;
  return undefined;
}

const CORRUPT = 11;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

function storeSentence(error: unknown, folder: string): string | undefined {
  const code = (resultCode(error) ?? 0) & 0xff;
  const file = join(folder, DATABASE_FILE);
  const logs = `${DATABASE_FILE}-wal and ${DATABASE_FILE}-shm`;
  if (code === NOT_A_DATABASE)
    return `${file} is not a Story Tracker database. Move it, ${logs} away, or pass another folder with --data.`;
  if (code === CORRUPT)
    return `${file} is damaged. Nothing was changed. Move it, ${logs} away and restore a copy of it, or pass another folder with --data.`;
  if (isBusy(error)) return `Another program is using ${file}. Nothing was changed. Try again in a moment.`;
  const trouble = code === 0 ? undefined : diskTrouble(error);
  if (trouble === 'no room') return `No space is left for ${file}. Nothing was changed.`;
  if (trouble === 'not writable')
    return `Could not read or write ${file}: ${messageOf(error)}. Check whether its disk is full or its files belong to another user.`;
  if (code === CANNOT_OPEN) return `Could not open ${file}. Check the permissions of the file and its folder.`;
  return undefined;
}

function systemSentence(error: unknown, { data, host = '', port = 0 }: StartPlace): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const path = 'path' in error && typeof error.path === 'string' ? error.path : resolve(data);
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is already in use. Stop the other program, or pass another port with --port; 0 finds a free one.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Pass one with --host.`;
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      if ('syscall' in error && error.syscall === 'listen')
        return `This user is not allowed to listen on port ${port} of ${host}. Pass another port with --port.`;
      return `This user is not allowed to write ${path}. Change its permissions, or pass another folder with --data.`;
    case 'EEXIST':
    case 'ENOTDIR':
      return `${path} is not a folder. Pass one with --data.`;
    case 'ENOSPC':
      return `No space is left for ${path}. ${messageOf(error)}`;
    default:
      return undefined;
  }
}
