import assert from 'node:assert/strict';
import { growsBySquare, growth } from '../support/measures/growth.ts';
import { assertGivesWay } from '../support/measures/longestHold.ts';

describe('the measures of tests', () => {
  const textOf = (length: number) => '#1 '.repeat(Math.ceil(length / 3));
  const linear = (text: string) => text.split(' ').length;
  const square = (length: number) => {
    let sum = 0;
    for (let i = 0; i < length; i += 1) for (let j = 0; j < length; j += 1) sum += i ^ j;
    return sum;
  };

  it('tell work that grows by the square from work that grows with the length', () => {
    assert.ok(growth(8_000, textOf, linear) <= 3.2);
    assert.ok(growth(500, Number, square) > 3.2);
    assert.equal(
      growsBySquare((length) => linear(textOf(length))),
      false,
    );
    assert.equal(growsBySquare(square), true);
  }).timeout(120_000);

  it('refuse what holds the thread for long, and nothing that gives way', async () => {
    await assertGivesWay(async () => linear(textOf(100_000)), 'short work');
    await assert.rejects(
      assertGivesWay(async () => square(40_000), 'long work'),
      /long work: held as long as \d+ readings/,
    );
  }).timeout(120_000);
});
