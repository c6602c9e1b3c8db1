import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from '../../../../src/host/shell/turnBudget.ts';

/** Longer than one turn is given. */
function work(): void {
  for (const end = performance.now() + 3; performance.now() < end; );
}

describe('Turns', () => {
  it('does at once what there is time for', () => {
    assert.equal(
      new Turns().take(() => 'done'),
      'done',
    );
  });

  it('gives way when a turn has taken long, and keeps the order', async () => {
    const turns = new Turns();
    const done: string[] = [];
    const add = (name: string) => () => {
      work();
      done.push(name);
    };
    const all = ['a', 'b', 'c'].map((name) => turns.take(add(name)));
    assert.deepEqual(done, ['a']);
    await nextTurn();
    assert.deepEqual(done, ['a', 'b']);
    all.push(turns.take(add('d')));
    await Promise.all(all);
    assert.deepEqual(done, ['a', 'b', 'c', 'd']);
    await nextTurn();
    assert.equal(
      turns.take(() => 'at once again'),
      'at once again',
    );
  });

  it('gives what is thrown to who asked, and goes on', async () => {
    const turns = new Turns();
    turns.take(work);
    const failing = turns.take(() => {
      throw new Error('No such row.');
    });
    const next = turns.take(() => 'next');
    await assert.rejects(async () => failing, /No such row/);
    assert.equal(await next, 'next');
  });
});
