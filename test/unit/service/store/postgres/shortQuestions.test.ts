import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { latestAnswer } from '../../../../../src/service/store/postgres/shortQuestions.ts';
import { eventually } from '../../../../support/eventually.ts';

describe('latestAnswer', () => {
  function slowQuestion() {
    const answers: ((value: number) => void)[] = [];
    const ask = latestAnswer(() => new Promise<number>((resolve) => answers.push(resolve)));
    return { ask, answers };
  }

  it('gives nobody an answer to a question that was out before they asked', async () => {
    const { ask, answers } = slowQuestion();
    const early = ask();
    const late = [ask(), ask()];
    await nextTurn();
    assert.equal(answers.length, 1);
    answers[0]?.(1);
    assert.equal(await early, 1);
    await nextTurn();
    assert.equal(answers.length, 2);
    answers[1]?.(2);
    assert.deepEqual(await Promise.all(late), [2, 2]);
  });

  it('lets one who asks alone wait for nobody', async () => {
    const { ask, answers } = slowQuestion();
    for (const value of [1, 2, 3]) {
      const answer = ask();
      assert.equal(answers.length, value);
      answers[value - 1]?.(value);
      assert.equal(await answer, value);
      await nextTurn();
    }
  });

  describe('where several asked at once before', () => {
    /** Three of them, in the second question. */
    async function asked() {
      const { ask, answers } = slowQuestion();
      const alone = ask();
      const together = [ask(), ask(), ask()];
      answers[0]?.(1);
      await alone;
      await nextTurn();
      answers[1]?.(2);
      await Promise.all(together);
      await nextTurn();
      return { ask, answers };
    }

    it('waits until half as many do again', async () => {
      const { ask, answers } = await asked();
      const first = ask();
      assert.equal(answers.length, 2);
      const second = ask();
      assert.equal(answers.length, 3);
      answers[2]?.(3);
      assert.deepEqual(await Promise.all([first, second]), [3, 3]);
    });

    it('waits no longer than a moment', async () => {
      const { ask, answers } = await asked();
      const alone = ask();
      assert.equal(answers.length, 2);
      await eventually(() => assert.equal(answers.length, 3));
      answers[2]?.(3);
      assert.equal(await alone, 3);
    });
  });

  it('asks again after a question that failed', async () => {
    let times = 0;
    const ask = latestAnswer(async () => {
      times += 1;
      if (times === 1) throw new Error('gone');
      return times;
    });
    await assert.rejects(ask(), /gone/);
    assert.equal(await ask(), 2);
  });
});
