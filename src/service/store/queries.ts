import type { Compilable, CompiledQuery } from 'kysely';
import { rest } from '../ground/slices.ts';
import type { Tx } from './database.ts';

/** Stands for a parameter while a query is put together. */
class Place<P> {
  readonly name: keyof P;

  constructor(name: keyof P) {
    this.name = name;
  }
}

/**
 * A query of which only the parameters differ: it is put together once for each kind of database, since that takes longer than to run a
 * small one. `build` is given what stands for the parameters, and must not look at them. What comes back gives the rows.
 */
export function knownQuery<P extends object, R>(
  build: (tx: Tx, parameters: P) => Compilable<R>,
): (tx: Tx, parameters: P) => Promise<readonly R[]> {
  const statement = knownStatement(build);
  return async (tx, parameters) => (await tx.executeQuery<R>(statement(tx, parameters))).rows;
}

/** The same, of which what comes back gives the statement, to be run by whoever asked for it. */
export function knownStatement<P extends object, R>(
  build: (tx: Tx, parameters: P) => Compilable<R>,
): (tx: Tx, parameters: P) => CompiledQuery<R> {
  const known = new WeakMap<object, CompiledQuery<R>>();
  const places = new Proxy({} as P, { get: (_, name) => new Place<P>(name as keyof P) });
  return (tx, parameters) => {
    const { adapter } = tx.getExecutor();
    let query = known.get(adapter);
    if (query === undefined) {
      query = build(tx, places).compile();
      known.set(adapter, query);
    }
    const values = query.parameters.map((each) => (each instanceof Place ? parameters[each.name as keyof P] : each));
    return { ...query, parameters: values };
  };
}

/** Rows that are read at once of a query that may find very many. */
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
export function idList<Id extends number | string>(ids: readonly Id[]): Id[] {
  const last = ids.at(-1);
  if (last === undefined) return [];
  const length = 2 ** Math.ceil(Math.log2(ids.length));
  return [...ids, ...new Array<Id>(length - ids.length).fill(last)];
}

/** Rows written at once, at most: few enough for what either database takes. */
const MOST_WRITTEN = 128;

/** The same rows for statements that write several at once, in pieces of few different lengths, for the same reason. */
export function pieces<Row>(rows: readonly Row[]): Row[][] {
  const found: Row[][] = [];
  for (let from = 0, length = MOST_WRITTEN; from < rows.length; ) {
    while (length > rows.length - from) length /= 2;
    found.push(rows.slice(from, from + length));
    from += length;
  }
  return found;
}
