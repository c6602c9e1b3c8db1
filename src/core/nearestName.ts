/** Characters; longer words are not compared, since that takes as many steps as the product of both lengths. */
const LONGEST = 64;

/** The name that a mistyped one most likely stands for, in any case, or undefined when none is near. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  if (typed.length > LONGEST) return undefined;
  const wanted = typed.toLowerCase();
  const begun = names.filter((name) => wanted.length >= 2 && name.toLowerCase().startsWith(wanted));
  if (begun.length === 1) return begun[0];
  const reach = Math.max(1, Math.floor(wanted.length / 3));
  const near = names
    .filter(({ length }) => Math.abs(length - wanted.length) <= reach)
    .map((name) => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= reach)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.name;
}

/** In how many steps one text becomes the other: a letter put in, left out, replaced, or two neighbours swapped. */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        ...(isSwap ? [at(beforeLast, column - 2) + 1] : []),
      ];
      current.push(Math.min(...steps));
    }
    [beforeLast, last] = [last, current];
  }
  return at(last, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
