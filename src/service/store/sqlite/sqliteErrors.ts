import { errorCode } from '../../ground/errors.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** True when another connection holds the lock and trying again later is right. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && [SQLITE_BUSY, SQLITE_LOCKED].includes(code & 0xff);
}

const SQLITE_CANTOPEN = 14;
const SQLITE_PROTOCOL = 15;

/** True when what another process is doing to the files of a database keeps this one from reading them at this moment. */
export function isHeldElsewhere(error: unknown): boolean {
  return isBusy(error) || [SQLITE_CANTOPEN, SQLITE_PROTOCOL].includes((resultCode(error) ?? 0) & 0xff);
}

/** SQLite's extended result code, where the error is one of SQLite. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}

const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const NO_ROOM = ['ENOSPC', 'EDQUOT'];
const NOT_WRITABLE = ['EROFS', 'EIO', 'EFBIG'];

/** What the disk of the data does not let happen at the moment, if that is what an error is about. */
export function diskTrouble(error: unknown): 'no room' | 'not writable' | undefined {
  const code = errorCode(error);
  const sqlite = (resultCode(error) ?? 0) & 0xff;
  if (sqlite === SQLITE_FULL || NO_ROOM.includes(code)) return 'no room';
  if (sqlite === SQLITE_IOERR || sqlite === SQLITE_READONLY || NOT_WRITABLE.includes(code)) return 'not writable';
  return undefined;
}
