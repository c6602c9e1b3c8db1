import assert from 'node:assert/strict';
import { RestoredStories } from '../../../../src/host/story/restoredStories.ts';

const key = { accountId: 'a', projectId: 7 };

describe('Stories that were made again', () => {
  it('are found by the numbers that they had, however often they were deleted', () => {
    const restored = new RestoredStories();
    restored.addRemoved(key, 1);
    assert.equal(restored.numberOf(key, 1), undefined);
    restored.addRestored(key, 1, 5);
    assert.equal(restored.numberOf(key, 1), 5);
    restored.addRemoved(key, 5);
    assert.equal(restored.numberOf(key, 1), undefined, 'done again');
    restored.addRestored(key, 5, 9);
    assert.deepEqual([restored.numberOf(key, 1), restored.numberOf(key, 5)], [9, 9]);
    assert.equal(restored.numberOf({ ...key, projectId: 8 }, 1), undefined, 'another project');
  });

  it('are found by later numbers that they were given in another project', () => {
    const restored = new RestoredStories();
    restored.addRestored(key, 1, 5);
    restored.addRestored(key, 5, 9);
    assert.deepEqual([restored.numberOf(key, 1), restored.numberNow(key, 5)], [9, 9]);
    restored.addRemoved(key, 9);
    assert.equal(restored.numberOf(key, 1), undefined);
  });

  it('are found where a server gives a number again', () => {
    const restored = new RestoredStories();
    for (const [before, after] of [
      [1, 5],
      [5, 9],
      [9, 5],
    ] as const) {
      restored.addRemoved(key, before);
      restored.addRestored(key, before, after);
    }
    assert.deepEqual(
      [1, 5, 9].map((id) => restored.numberNow(key, id)),
      [5, 5, 5],
    );
    assert.ok(!restored.isRemoved(key, 5));
  });

  it('are called by their new numbers once they have some', () => {
    const restored = new RestoredStories();
    assert.equal(restored.numberNow(key, 1), 1);
    restored.addRemoved(key, 1);
    restored.addRestored(key, 1, -5);
    assert.equal(restored.numberNow(key, 1), 1, 'no server has it yet');
    restored.addRestored(key, 1, 5);
    assert.deepEqual([restored.numberNow(key, 1), restored.numberNow(key, 5)], [5, 5]);
  });

  it('are there under their own number when their deletion was taken back in time', () => {
    const restored = new RestoredStories();
    restored.addRestored(key, 1, 5);
    restored.addRemoved(key, 5);
    restored.addKept(key, 5);
    assert.equal(restored.numberOf(key, 1), 5);
  });

  it('have tasks with new numbers, however often they were made again', () => {
    const restored = new RestoredStories();
    restored.addRestored(key, 1, 5);
    restored.addRestoredTask(key, 1, 7);
    restored.addRestoredTask(key, 7, 8);
    assert.deepEqual(
      [1, 7, 8, 5].map((id) => restored.taskNow(key, id)),
      [8, 8, 8, 5],
    );
    restored.addRestoredTask(key, 8, 8);
    restored.addRestoredTask(key, 8, 1);
    assert.equal(restored.taskNow(key, 8), 1, 'numbers that are given again');
  });
});
