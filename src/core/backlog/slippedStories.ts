/** An iteration's number and what it holds. */
export interface NumberedStories {
  readonly number: number;
  readonly stories: readonly { readonly id: number }[];
}

/** Stories that came to lie in a later iteration than before. */
export interface Slip {
  readonly iteration: number;
  readonly storyIds: readonly number[];
}

/** The stories that a change pushed into later iterations, by iteration; those in `moved` were meant to go. */
export function slippedStories(
  before: readonly NumberedStories[],
  after: readonly NumberedStories[],
  moved: readonly number[] = [],
): readonly Slip[] {
  // Most iterations hold what they held: a story that is in none of the others was in none of them before.
  const listsBefore = new Map(before.map(({ number, stories }) => [number, stories] as const));
  const isSame = ({ number, stories }: NumberedStories) => isSameList(listsBefore.get(number), stories);
  const same = new Set(after.filter(isSame).map(({ number }) => number));
  const numberBefore = new Map<number, number>();
  for (const { number, stories } of before) {
    if (!same.has(number)) for (const { id } of stories) numberBefore.set(id, number);
  }
  const meant = new Set(moved);
  return after
    .filter(({ number }) => !same.has(number))
    .map(({ number, stories }) => ({
      iteration: number,
      storyIds: stories.map(({ id }) => id).filter((id) => !meant.has(id) && (numberBefore.get(id) ?? number) < number),
    }))
    .filter(({ storyIds }) => storyIds.length > 0);
}

function isSameList(before: NumberedStories['stories'] | undefined, after: NumberedStories['stories']): boolean {
  if (before === after) return true;
  return before?.length === after.length && after.every(({ id }, index) => before[index]?.id === id);
}

/** Those of some stories that lie in an iteration later than one, in their order there. */
export function beyondIteration(
  iterations: readonly NumberedStories[],
  storyIds: readonly number[],
  number: number,
): readonly number[] {
  const meant = new Set(storyIds);
  const later = iterations.filter((iteration) => iteration.number > number);
  return later.flatMap(({ stories }) => stories.map(({ id }) => id).filter((id) => meant.has(id)));
}

/** Those of some stories that lie in an iteration before one, with its number, in their order there. */
export function beforeIteration(
  iterations: readonly NumberedStories[],
  storyIds: readonly number[],
  number: number,
): readonly { readonly id: number; readonly iteration: number }[] {
  const meant = new Set(storyIds);
  return iterations
    .filter((one) => one.number < number)
    .flatMap(({ number: iteration, stories }) => stories.map(({ id }) => ({ id, iteration })))
    .filter(({ id }) => meant.has(id));
}
