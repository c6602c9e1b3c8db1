import type { Compilable } from 'kysely';
import { rest } from '../ground/slices.ts';
import type { Tx } from './database.ts';

const CHUNK = 100;

/** The rows of a query that may find very many: what `execute` gives, without holding the thread for long. */
export async function allRows<R>(tx: Tx, query: Compilable<R>): Promise<R[]> {
  const rows: R[] = [];
  for await (const chunk of tx.getExecutor().stream(query.compile(), CHUNK)) {
    for (const row of chunk.rows) rows.push(row);
    await rest();
  }
  return rows;
}
