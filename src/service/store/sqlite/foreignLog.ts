import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Of which database a file is; never changed once it is there (see `databaseId`). */
const ID = `select "value" as id from secrets where "name" = 'databaseId'`;

/** The log beside a database file was written for another database: SQLite would lay its pages over the file. Nothing was changed. */
export class ForeignLogError extends Error {
  override readonly name = 'ForeignLogError';
}

/**
 * Throws `ForeignLogError` where the log beside the file is of another database, as after a killed service, when a backup is copied to the
 * place of the file alone. SQLite's log does not say whose it is, so the id in the file is compared with the one that the log makes of it.
 * Neither is written. An older copy of the same database has the same id, and is not told apart.
 */
export function refuseForeignLog(file: string): void {
  if (!statSync(`${file}-wal`, { throwIfNoEntry: false })?.size || !statSync(file, { throwIfNoEntry: false })?.size)
    return;
  const alone = pathToFileURL(file);
  alone.search = 'immutable=1'; // As it is without its log.
  const own = idIn(alone);
  if (typeof own !== 'string' || own === idIn(file)) return;
  if (own !== idIn(alone) || own === idIn(file)) return; // Another process was writing the one into the other.
  const name = basename(file);
  throw new ForeignLogError(
    `${file}-wal was written for another database than ${name}. Nothing was changed. Stop all services on this folder, move ${name}-wal and ${name}-shm away, and start again.`,
  );
}

/** Undefined where none is found; null where the file cannot be asked now. */
function idIn(place: string | URL): string | undefined | null {
  try {
    const database = new DatabaseSync(place, { readOnly: true });
    try {
      const found = database.prepare(ID).get()?.id;
      return found === undefined ? undefined : String(found);
    } finally {
      database.close();
    }
  } catch {
    return null;
  }
}
