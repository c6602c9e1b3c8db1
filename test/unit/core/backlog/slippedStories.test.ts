import assert from 'node:assert/strict';
import fc from 'fast-check';
import { slippedStories } from '../../../../src/core/backlog/slippedStories.ts';

/** Iterations numbered from 12, as lists of story ids. */
const iterations = (...lists: readonly (readonly number[])[]) =>
  lists.map((ids, index) => ({ number: 12 + index, stories: ids.map((id) => ({ id })) }));

describe('stories that slip', () => {
  it('are those in a later iteration than before', () => {
    assert.deepEqual(slippedStories(iterations([1, 2], [3, 4], [5]), iterations([1], [2, 3], [4, 5])), [
      { iteration: 13, storyIds: [2] },
      { iteration: 14, storyIds: [4] },
    ]);
  });

  it('are not those that came nearer, are new, or were meant to go', () => {
    assert.deepEqual(slippedStories(iterations([1, 2], [3]), iterations([3], [1, 9, 2]), [1, 2]), []);
    assert.deepEqual(slippedStories(iterations([1]), iterations([])), []);
  });

  it('are found among any iterations, however many of them stay as they are', () => {
    const lists = fc.uniqueArray(fc.integer({ min: 1, max: 30 })).chain((ids) => {
      const into = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: ids.length, maxLength: ids.length });
      return into.map((places) => [0, 1, 2, 3, 4].map((at) => ids.filter((_, index) => places[index] === at)));
    });
    const property = fc.property(lists, lists, fc.array(fc.integer({ min: 1, max: 30 })), (before, other, moved) => {
      const kept = before.filter((_, at) => at % 2 === 0).flat();
      const after = before.map((list, at) =>
        at % 2 === 0 ? list : (other[at] ?? []).filter((id) => !kept.includes(id)),
      );
      const placeIn = (all: readonly (readonly number[])[], id: number) => all.findIndex((list) => list.includes(id));
      const expected = after.map((list, at) =>
        list.filter((id) => !moved.includes(id) && placeIn(before, id) >= 0 && placeIn(before, id) < at),
      );
      const found = new Map(
        slippedStories(iterations(...before), iterations(...after), moved).map((slip) => [
          slip.iteration,
          slip.storyIds,
        ]),
      );
      assert.deepEqual(
        after.map((_, at) => found.get(12 + at) ?? []),
        expected,
      );
    });
    fc.assert(property);
  });
});
