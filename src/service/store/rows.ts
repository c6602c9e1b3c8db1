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

/** The rows of each project, in the order in which they are. */
export function byProject<R extends { readonly projectId: number }>(
  rows: readonly R[],
): (projectId: number) => readonly R[] {
  const found = new Map<number, R[]>();
  for (const row of rows) {
    const others = found.get(row.projectId);
    if (others) others.push(row);
    else found.set(row.projectId, [row]);
  }
  return (projectId) => found.get(projectId) ?? [];
}

/**
 * The same ids for a query that looks for any of them, some of them twice: lists of few different lengths make few different
 * statements, each of which a database keeps some kilobytes for.
 */
export function idList(ids: readonly number[]): number[] {
  const last = ids.at(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return [...ids, ...new Array<number>(length - ids.length).fill(last)];
}
