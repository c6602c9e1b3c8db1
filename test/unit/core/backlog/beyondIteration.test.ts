import assert from 'node:assert/strict';
import { beforeIteration, beyondIteration } from '../../../../src/core/backlog/localPlan.ts';
import { anIteration, someStories } from '../../../support/builders/builders.ts';

describe('Stories beyond an iteration', () => {
  const iterations = [
    anIteration({ number: 5, stories: someStories(1, 2) }),
    anIteration({ number: 6, stories: someStories(4, 3) }),
    anIteration({ number: 7, stories: someStories(5) }),
  ];

  it('are those that lie in a later one, in their order', () => {
    assert.deepEqual(beyondIteration(iterations, [1, 3, 4, 5], 5), [4, 3, 5]);
    assert.deepEqual(beyondIteration(iterations, [1, 3, 4, 5], 6), [5]);
  });

  it('are none of those that lie in it or earlier, and none that lie nowhere', () => {
    assert.deepEqual(beyondIteration(iterations, [1, 2, 9], 5), []);
    assert.deepEqual(beyondIteration(iterations, [1, 4, 5], 7), []);
  });
});

describe('Stories before an iteration', () => {
  const iterations = [
    anIteration({ number: 5, stories: someStories(1, 2) }),
    anIteration({ number: 6, stories: someStories(4, 3) }),
    anIteration({ number: 7, stories: someStories(5) }),
  ];

  it('are those that lie in an earlier one, each with that', () => {
    const found = beforeIteration(iterations, [2, 3, 4, 5], 7);
    assert.deepEqual(
      found.map(({ id, iteration }) => [id, iteration]),
      [
        [2, 5],
        [4, 6],
        [3, 6],
      ],
    );
  });

  it('are none of those that lie in it or later, and none that lie nowhere', () => {
    assert.deepEqual(beforeIteration(iterations, [3, 4, 5, 9], 6), []);
    assert.deepEqual(beforeIteration(iterations, [1], 5), []);
  });
});
