import assert from 'node:assert/strict';
import { latestAnswer } from '../../../../src/service/store/latestAnswer.ts';

describe('latestAnswer', () => {
  function slowQuestion() {
    const answers: ((value: number) => void)[] = [];
    const ask = latestAnswer(() => new Promise<number>((resolve) => answers.push(resolve)));
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    return { ask, turn, answers };
  }

  it('gives nobody an answer to a question that was out before they asked', async () => {
    const { ask, turn, answers } = slowQuestion();
    const early = ask();
    await turn();
    const late = [ask(), ask()];
    await turn();
    assert.equal(answers.length, 1);
    answers[0]?.(1);
    assert.equal(await early, 1);
    await turn();
    assert.equal(answers.length, 2);
    answers[1]?.(2);
    assert.deepEqual(await Promise.all(late), [2, 2]);
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
