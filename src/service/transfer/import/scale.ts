/** The scales that teams use, shortest first. */
const SCALES: readonly (readonly number[])[] = [
  [0, 1, 2, 3],
  [0, 1, 2, 4, 8],
  [0, 1, 2, 3, 5, 8],
];

/** The first usual point scale that has all of these points, else one of exactly them and zero. */
export function fittingScale(points: ReadonlySet<number>): readonly number[] {
  const all = [...points];
  const usual = SCALES.find((scale) => all.every((each) => scale.includes(each)));
  return usual ?? [...new Set([0, ...all])].sort((one, other) => one - other);
}
