import type { Compilable, CompiledQuery } from 'kysely';
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
  const known = new WeakMap<object, CompiledQuery<R>>();
  const places = new Proxy({} as P, { get: (_, name) => new Place<P>(name as keyof P) });
  return async (tx, parameters) => {
    const { adapter } = tx.getExecutor();
    let query = known.get(adapter);
    if (query === undefined) {
      query = build(tx, places).compile();
      known.set(adapter, query);
    }
    const values = query.parameters.map((each) => (each instanceof Place ? parameters[each.name as keyof P] : each));
    const { rows } = await tx.executeQuery<R>({ ...query, parameters: values });
    return rows;
  };
}
