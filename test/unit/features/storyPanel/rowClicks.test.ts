import assert from 'node:assert/strict';
import { RowClicks } from '../../../../src/features/storyPanel/rowClicks.ts';

/** The clicks, each as its row and its moment, that end a double click. */
function assertDoubles(clicks: readonly (readonly [row: string, at: number])[], expected: readonly number[]): void {
  const rows = new RowClicks();
  const doubles = clicks.filter(([row, at]) => rows.isDouble(row, at)).map(([, at]) => at);
  assert.deepEqual(doubles, expected);
}

describe('Clicks on rows', () => {
  it('are double when the same row is clicked again soon', () => {
    assertDoubles(
      [
        ['a', 0],
        ['a', 200],
      ],
      [200],
    );
    assertDoubles(
      [
        ['a', 0],
        ['a', 600],
      ],
      [600],
    );
  });

  it('are single when another row or much time is between them', () => {
    assertDoubles(
      [
        ['a', 0],
        ['b', 100],
        ['a', 200],
      ],
      [],
    );
    assertDoubles(
      [
        ['a', 0],
        ['a', 601],
      ],
      [],
    );
  });

  it('begin anew after a double one: a third is no second of the second', () => {
    assertDoubles(
      [
        ['a', 0],
        ['a', 200],
        ['a', 400],
        ['a', 500],
      ],
      [200, 500],
    );
  });
});
