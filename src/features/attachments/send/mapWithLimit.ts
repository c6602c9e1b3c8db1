export type Outcome<T, R> =
  | { readonly item: T; readonly status: 'done'; readonly value: R }
  | { readonly item: T; readonly status: 'failed'; readonly error: unknown };

/**
 * Runs every item, at most `limit` at a time, and tells how each went in the order given. Once an error `endsAll`, items
 * that were not begun fail with that error.
 */
export async function mapWithLimit<T, R>(
  items: readonly T[],
  limit: number,
  run: (item: T) => Promise<R>,
  endsAll: (error: unknown) => boolean,
): Promise<readonly Outcome<T, R>[]> {
  const outcomes = new Map<T, Outcome<T, R>>();
  const waiting = [...items];
  let ended: { readonly error: unknown } | undefined;
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      const outcome = ended ? failed(item, ended.error) : await outcomeOf(item, run);
      if (outcome.status === 'failed' && endsAll(outcome.error)) ended ??= { error: outcome.error };
      outcomes.set(item, outcome);
    }
  };
  await Promise.all(Array.from({ length: limit }, work));
  return items.flatMap((item) => outcomes.get(item) ?? []);
}

async function outcomeOf<T, R>(item: T, run: (item: T) => Promise<R>): Promise<Outcome<T, R>> {
  try {
    return { item, status: 'done', value: await run(item) };
  } catch (error) {
    return failed(item, error);
  }
}

function failed<T>(item: T, error: unknown): { readonly item: T; readonly status: 'failed'; readonly error: unknown } {
  return { item, status: 'failed', error };
}
