import assert from 'node:assert/strict';
import { TimeBudget } from '../../../src/core/timeBudget.ts';

/** A thread whose clock and turns the test moves on. */
class FakeThread {
  time = 0;
  pauses = 0;
  private readonly atEnd: (() => void)[] = [];

  readonly now = (): number => this.time;

  readonly pause = async (): Promise<void> => {
    this.pauses += 1;
    this.endTurn();
  };

  readonly atTurnEnd = (run: () => void): void => {
    this.atEnd.push(run);
  };

  endTurn(): void {
    for (const run of this.atEnd.splice(0)) run();
  }
}

describe('A budget of time', () => {
  it('is spent after its milliseconds, and there again once others had their turn', async () => {
    const thread = new FakeThread();
    const { now, pause } = thread;
    const budget = new TimeBudget(2, { now, pause });
    budget.begin();
    thread.time = 1;
    assert.equal(budget.isSpent, false);
    await budget.rest();
    assert.equal(thread.pauses, 0);
    thread.time = 2;
    assert.equal(budget.isSpent, true);
    await budget.rest();
    assert.equal(thread.pauses, 1);
    assert.equal(budget.isSpent, false);
  });

  it('counts from when the first work began, whoever asks', () => {
    const thread = new FakeThread();
    const budget = new TimeBudget(2, thread);
    assert.equal(budget.isSpent, false);
    thread.time = 1;
    budget.begin();
    thread.time = 2;
    assert.equal(budget.isSpent, true);
  });

  it('ends with the turn where the thread tells of its end, else goes on', () => {
    const thread = new FakeThread();
    const { now, pause } = thread;
    const [ofTurn, ofWork] = [new TimeBudget(2, thread), new TimeBudget(2, { now, pause })];
    ofTurn.begin();
    ofWork.begin();
    thread.time = 5;
    thread.endTurn();
    assert.equal(ofTurn.isSpent, false);
    assert.equal(ofWork.isSpent, true);
  });

  it('is one for all who come back in the same turn', async () => {
    const thread = new FakeThread();
    const { now, atTurnEnd } = thread;
    const othersFirst = async () => {
      thread.endTurn();
      budget.begin();
      thread.time = 2;
    };
    const budget = new TimeBudget(2, { now, pause: othersFirst, atTurnEnd });
    await budget.giveWay();
    assert.equal(budget.isSpent, true);
  });
});
