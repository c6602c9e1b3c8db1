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
