import { TrackerError } from '../errors.ts';
import type { Story } from '../story/story.ts';
import { UNESTIMATED } from '../story/story.ts';

const COMPARISON = /^(>=|<=|>|<|=)?(\d{1,9}(?:\.\d{1,9})?)$/;

const comparisons: Readonly<Record<string, (points: number, wanted: number) => boolean>> = {
  '>': (points, wanted) => points > wanted,
  '>=': (points, wanted) => points >= wanted,
  '<': (points, wanted) => points < wanted,
  '<=': (points, wanted) => points <= wanted,
  '=': (points, wanted) => points === wanted,
};

/**
 * `3`, `>3`, `>=3`, `<3`, `<=3`; `none` or `-1` for what can be estimated and is not. A story without an estimate is
 * neither more nor less than any number. Throws `input` for anything else.
 */
export function pointsTest(value: string, key: string): (story: Pick<Story, 'estimate'>) => boolean {
  if (value.toLowerCase() === 'none' || value === String(UNESTIMATED))
    return ({ estimate }) => estimate === UNESTIMATED;
  const [, sign = '=', digits] = COMPARISON.exec(value) ?? [];
  const holds = comparisons[sign];
  if (digits === undefined || !holds) {
    throw new TrackerError('input', `“${key}:” takes a number, as in ${key}:3 or ${key}:>3, or none; not “${value}”.`);
  }
  const wanted = Number(digits);
  return ({ estimate }) => estimate !== undefined && estimate !== UNESTIMATED && holds(estimate, wanted);
}
