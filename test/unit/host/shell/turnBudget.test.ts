import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Steps, stepwise, Turns } from '../../../../src/host/shell/turnBudget.ts';

/** Longer than all work that gives way is given together. */
function work(): void {
  for (const end = performance.now() + 3; performance.now() < end; );
}

describe('The time of a turn', () => {
  it('is shared by all who give way, and each goes on', async () => {
    const done: string[] = [];
    const steps = function* (name: string): Steps<void> {
      for (const part of [1, 2]) {
        work();
        done.push(`${name}${part}`);
        yield;
      }
    };
    await nextTurn();
    const all = [stepwise(steps('a')), stepwise(steps('b'))];
    const row = new Turns().take(() => done.push('row'));
    assert.deepEqual(done, ['a1', 'b1'], 'the row waits for a turn that is not spent');
    await Promise.all([...all, row]);
    assert.deepEqual(done.toSorted(), ['a1', 'a2', 'b1', 'b2', 'row']);
  });
});
