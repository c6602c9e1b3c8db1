import assert from 'node:assert/strict';
import { fittingScale } from '../../../../../src/service/transfer/import/importFile.ts';

describe('the point scale that fits', () => {
  assertScale([], [0, 1, 2, 3]);
  assertScale([1, 3], [0, 1, 2, 3]);
  assertScale([4], [0, 1, 2, 4, 8]);
  assertScale([5, 8, 0], [0, 1, 2, 3, 5, 8]);
  assertScale([13, 4], [0, 4, 13]);
});

function assertScale(points: readonly number[], expected: readonly number[]): void {
  it(`${points} is ${expected}`, () => assert.deepEqual(fittingScale(new Set(points)), expected));
}
