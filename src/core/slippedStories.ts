interface NumberedStories {
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
  const numberBefore = new Map(before.flatMap(({ number, stories }) => stories.map(({ id }) => [id, number] as const)));
  const meant = new Set(moved);
  return after
    .map(({ number, stories }) => ({
      iteration: number,
      storyIds: stories.map(({ id }) => id).filter((id) => !meant.has(id) && (numberBefore.get(id) ?? number) < number),
    }))
    .filter(({ storyIds }) => storyIds.length > 0);
}
