import { processorTime, timesAsLong } from './processorTime.ts';

const ROUNDS = 10;
/** Plainly not the square. */
const LINEAR = 2.5;
/** Microseconds from which on work is long enough to be compared. */
const TOLD = 2_000;
/** What is quicker than that even on so many characters is no danger, however it grows. */
const LONGEST = 1 << 17;
/** By how much time grows over two doublings when it grows by the square, with room for noise: 16 without. Linear work grows by 4. */
const SQUARE = 9;

/**
 * By what factor the processor's time grows when the size doubles: about 2 where it is linear, 4 where it is the square. It is told over
 * three doublings, where noise counts for less. The least of several rounds counts, since machines are noisy. What `made` does is not
 * counted.
 */
export function growth<T>(size: number, made: (size: number) => T, work: (input: T) => unknown): number {
  const [small, large] = [made(size), made(8 * size)];
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS && least > LINEAR; round += 1) {
    const ratio = timesAsLong(
      () => work(large),
      () => work(small),
      LINEAR ** 3,
    );
    least = Math.min(least, Math.cbrt(ratio));
  }
  return least;
}

/**
 * Whether time grows with the square of the input, or worse, where it is not known from which size on it tells: doubles the length until
 * the work is long enough to be compared, and then twice more. Made for trying very many works of which nearly all are quick.
 */
export function growsBySquare(work: (length: number) => unknown, from = 1_000): boolean {
  for (let length = from; length <= LONGEST; length *= 2) {
    if (processorTime(() => work(length)) < TOLD) continue;
    // One measurement may be of a machine that is just warming up or busy with other things, or of garbage that is collected: the
    // greater part of five is not.
    let square = 0;
    let plain = 0;
    for (const from of [length, length, length * 2, length, length * 2]) {
      const ratio = timesAsLong(
        () => work(from * 4),
        () => work(from),
        SQUARE,
      );
      if (ratio > SQUARE) square += 1;
      else plain += 1;
      if (square === 3 || plain === 3) break;
    }
    return square === 3;
  }
  return false;
}
