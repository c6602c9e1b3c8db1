import type { Compilable } from 'kysely';
import { rest } from '../slices.ts';
import type { Tx } from './database.ts';

const CHUNK = 100;

/** The rows of a query that may find very many: what `execute` gives, without holding the thread for long. */
export async function allRows<R>(tx: Tx, query: Compilable<R>): Promise<R[]> {
  const rows: R[] = [];
  for await (const chunk of rowsByChunk(tx, query)) for (const row of chunk) rows.push(row);
  return rows;
}

/** The same, as far as someone reads on. */
export async function* rowsByChunk<R>(tx: Tx, query: Compilable<R>): AsyncGenerator<readonly R[], void> {
  for await (const chunk of tx.getExecutor().stream(query.compile(), CHUNK)) {
    yield chunk.rows;
    await rest();
  }
}
