const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** True when another connection holds the lock and trying again later is right. */
export function isBusy(error: unknown): boolean {
  const code = resultCode(error);
  return code !== undefined && [SQLITE_BUSY, SQLITE_LOCKED].includes(code & 0xff);
}

/** SQLite's extended result code, where the error is one of SQLite. */
export function resultCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode : undefined;
}
