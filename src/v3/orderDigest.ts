import { createHash } from 'node:crypto';

/** An iteration as the digest sees it; moments in milliseconds since the epoch. */
interface DigestedIteration {
  readonly number: number;
  readonly start?: number | undefined;
  readonly finish?: number | undefined;
  readonly teamStrength?: number | undefined;
  readonly storyIds: readonly number[];
}

/** Base64 characters of the digest that are kept: more bits than chance ever makes equal. */
const LENGTH = 22;

/**
 * What tells two orders apart: the SHA-256, in base64url and cut, of a line for each iteration from the current one on
 * (`iteration 3 START FINISH STRENGTH: 12 13`, a dash for what is not known) and one for the icebox (`icebox: 40 41`), each
 * ended by a line feed.
 */
export function orderDigest(iterations: readonly DigestedIteration[], icebox: readonly number[]): string {
  const hash = createHash('sha256');
  for (const iteration of iterations) hash.update(lineOf(iteration));
  return hash.update(listed('icebox', icebox)).digest('base64url').slice(0, LENGTH);
}

function lineOf({ number, start, finish, teamStrength, storyIds }: DigestedIteration): string {
  return listed(`iteration ${number} ${start ?? '-'} ${finish ?? '-'} ${teamStrength ?? '-'}`, storyIds);
}

function listed(name: string, ids: readonly number[]): string {
  return ids.length === 0 ? `${name}:\n` : `${name}: ${ids.join(' ')}\n`;
}
