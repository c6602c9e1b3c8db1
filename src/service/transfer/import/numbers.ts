import { sql } from 'kysely';
import type { Tx } from '../../store/database.ts';

/** Makes databases that count apart from what is there go on behind ids that were given to them. */
export async function raiseNumbers(tx: Tx, countsApart: boolean): Promise<void> {
  if (!countsApart) return;
  for (const table of ['stories', 'projects']) {
    const sequence = sql`pg_get_serial_sequence(${`"${table}"`}, 'id')`;
    const highest = sql`(select coalesce(max("id"), 1) from ${sql.table(table)})`;
    await sql`select setval(${sequence}, greatest(${highest}, nextval(${sequence}::regclass)))`.execute(tx);
  }
}
