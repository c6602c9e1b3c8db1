import assert from 'node:assert/strict';
import { withoutDuplicatePlaces } from '../../../../src/sync/replica/places.ts';

const at = (number: number, ...storyIds: number[]) => ({ id: number, number, storyIds });

describe('iterations of one number', () => {
  it('become one, where the first was, with the stories of both', () => {
    const lists = {
      iterations: [at(12, 1), at(13, 2), at(12, 3)],
      icebox: [9],
      done: [at(11, 4), at(12, 5), at(11, 6)],
    };
    assert.deepEqual(withoutDuplicatePlaces(lists), {
      iterations: [at(12, 1, 3, 5), at(13, 2)],
      icebox: [9],
      done: [at(11, 4, 6)],
    });
  });

  it('are none: the lists stay the very same', () => {
    const lists = { iterations: [at(12, 1), at(13, 2)], icebox: [], done: [at(11)] };
    assert.equal(withoutDuplicatePlaces(lists), lists);
  });
});
