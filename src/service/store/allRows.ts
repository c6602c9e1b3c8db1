import { rest } from '../slices.ts';

const CHUNK = 100;

interface Query<R> {
  stream(chunkSize: number): AsyncIterableIterator<R>;
}

/** The rows of a query that may find very many: what `execute` gives, without holding the thread for long. */
export async function allRows<R>(query: Query<R>): Promise<R[]> {
  const rows: R[] = [];
  for await (const row of query.stream(CHUNK)) {
    rows.push(row);
    await rest();
  }
  return rows;
}
