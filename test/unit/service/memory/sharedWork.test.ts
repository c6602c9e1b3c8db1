import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { oncePerTurn } from '../../../../src/service/memory/sharedWork.ts';

describe('a question asked once a turn', () => {
  it('has one answer for all who ask before the event loop goes on, and a new one after', async () => {
    let asked = 0;
    const question = oncePerTurn(() => {
      asked += 1;
      return asked;
    });
    assert.deepEqual([question(), question(), await Promise.resolve().then(question)], [1, 1, 1]);
    await nextTurn();
    assert.deepEqual([question(), question()], [2, 2]);
  });

  it('is asked again at once where it was not answered', () => {
    let asked = 0;
    const question = oncePerTurn(() => {
      asked += 1;
      if (asked === 1) throw new Error('Not now.');
      return asked;
    });
    assert.throws(question, /Not now/);
    assert.equal(question(), 2);
  });

  it('is asked by each where the answer is yet to come', async () => {
    let asked = 0;
    const question = oncePerTurn<number>(async () => {
      asked += 1;
      return asked;
    });
    assert.deepEqual(await Promise.all([question(), question()]), [1, 2]);
  });
});
