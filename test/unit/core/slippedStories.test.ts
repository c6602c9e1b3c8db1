import assert from 'node:assert/strict';
import { slippedStories } from '../../../src/core/slippedStories.ts';

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
});
