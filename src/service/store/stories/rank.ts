import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';

/** Ranks longer than this are shortened by spreading a window of neighbours anew. */
export const MAX_RANK_LENGTH = 32;

/** A text that sorts bytewise between two neighbours; null stands for an end of the list. */
export function rankBetween(before: string | null, after: string | null): string {
  return generateKeyBetween(before, after);
}

/** `count` short ranks in rising order between two neighbours. */
export function spreadRanks(before: string | null, after: string | null, count: number): readonly string[] {
  return generateNKeysBetween(before, after, count);
}
