import assert from 'node:assert/strict';
import type { BacklogLists, PlacedIteration } from '../../../../src/core/replica/replica.ts';
import { listPortions } from '../../../../src/sync/replica/replica.ts';

function placed(count: number, storiesEach: number): readonly PlacedIteration[] {
  const storyIds = Array.from({ length: storiesEach }, (_, index) => index);
  return Array.from({ length: count }, (_, index) => ({ id: index, number: index, storyIds }));
}

function assertPortions(lists: Partial<BacklogLists>, expected: readonly (readonly [number, number, number])[]): void {
  const whole = { iterations: [], icebox: [], done: [], ...lists };
  const portions = [...listPortions(whole)];
  const sizes = portions.map(({ iterations, icebox, done }) => [iterations.length, icebox.length, done.length]);
  assert.deepEqual(sizes, expected);
  for (const name of ['iterations', 'icebox', 'done'] as const) {
    assert.deepEqual(
      portions.flatMap((portion): readonly unknown[] => portion[name]),
      whole[name],
    );
  }
}

describe('listPortions', () => {
  it('has a portion also for lists that became empty', () => {
    assertPortions({}, [[0, 0, 0]]);
  });

  it('divides what is long', () => {
    assertPortions({ iterations: placed(250, 3), icebox: Array.from({ length: 4100 }, (_, id) => id) }, [
      [100, 0, 0],
      [100, 0, 0],
      [50, 0, 0],
      [0, 2000, 0],
      [0, 2000, 0],
      [0, 100, 0],
    ]);
    assertPortions({ done: placed(3, 1500) }, [
      [0, 0, 2],
      [0, 0, 1],
    ]);
  });
});
