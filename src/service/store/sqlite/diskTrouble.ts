import { resultCode } from './sqliteErrors.ts';

const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const NO_ROOM = ['ENOSPC', 'EDQUOT'];
const NOT_WRITABLE = ['EROFS', 'EIO', 'EFBIG'];

/** What the disk of the data does not let happen at the moment, if that is what an error is about. */
export function diskTrouble(error: unknown): 'no room' | 'not writable' | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const sqlite = (resultCode(error) ?? 0) & 0xff;
  if (sqlite === SQLITE_FULL || NO_ROOM.includes(code)) return 'no room';
  if (sqlite === SQLITE_IOERR || sqlite === SQLITE_READONLY || NOT_WRITABLE.includes(code)) return 'not writable';
  return undefined;
}
