import type { DatabaseSync } from 'node:sqlite';
import { columnsOf, putRow, type RescuedRows, readableRows } from './rescuedRows.ts';

/** What of a time without a file nobody could read from a server again. */
const TABLES = ['outbox', 'linkedCommit', 'activeStory', 'foundCommit'] as const;

/** What was done while there was no file; `undefined` while something is being sent, whose sender looks for it there. */
export function unsavedRows(memory: DatabaseSync): RescuedRows | undefined {
  const rows = new Map(TABLES.map((table) => [table, readableRows(memory, table)]));
  return rows.get('outbox')?.some(({ state }) => state === 'sending') ? undefined : rows;
}

/** Takes it over into the file, where an active story that was chosen later wins. Always writes, so that a full disk shows. */
export function putMadeInMemory(database: DatabaseSync, made: RescuedRows): void {
  database.exec('UPDATE replica SET revision = revision + 1');
  for (const [table, rows] of made) {
    const columns = columnsOf(database, table);
    for (const row of rows) {
      if (table === 'activeStory') {
        database.prepare('DELETE FROM activeStory WHERE repository = ?').run(row.repository ?? null);
      }
      putRow(database, table, columns, row);
    }
  }
}
