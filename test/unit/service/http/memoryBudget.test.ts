import assert from 'node:assert/strict';
import { MemoryBudget } from '../../../../src/service/http/memoryBudget.ts';

const PATIENCE = 1_000;

describe('room that several hold', () => {
  /** Waits, and notes the name when there is room. */
  function waiting(room: MemoryBudget, entered: string[], name: string, bytes: number, holder: string): void {
    void room.wait(bytes, holder).then((isIn) => isIn && entered.push(name));
  }
  const soon = () => new Promise(setImmediate);

  it('gives one of them no more than half, unless it is one part', async () => {
    const room = new MemoryBudget(100, PATIENCE);
    assert.equal(room.take(90, 'Ada'), true);
    assert.equal(room.take(1, 'Ada'), false);
    room.give(90, 'Ada');
    assert.deepEqual([room.take(30, 'Ada'), room.take(20, 'Ada'), room.take(1, 'Ada')], [true, true, false]);
    assert.deepEqual([room.take(50, 'Ben'), room.take(1, 'Cy')], [true, false]);
  });

  it('keeps nobody who has none waiting behind those who have some', async () => {
    const room = new MemoryBudget(100, PATIENCE);
    const entered: string[] = [];
    room.take(80, 'Ada');
    waiting(room, entered, 'more of Ada', 40, 'Ada');
    assert.equal(room.take(10, 'Ben'), true);
    waiting(room, entered, 'Cy', 20, 'Cy');
    assert.equal(room.take(5, 'Dan'), false, 'Cy has none, and came before');
    waiting(room, entered, 'Dan', 5, 'Dan');
    await soon();
    assert.deepEqual(entered, []);
    room.give(10, 'Ben');
    await soon();
    assert.deepEqual(entered, ['Cy']);
    room.give(80, 'Ada');
    await soon();
    assert.deepEqual(entered, ['Cy', 'more of Ada', 'Dan']);
  });

  it('is waited for no longer than anyone has patience', async () => {
    const room = new MemoryBudget(100, 10);
    room.take(100, 'Ada');
    assert.equal(await room.wait(1, 'Ben'), false);
    room.give(100, 'Ada');
    assert.equal(await room.wait(1, 'Ben'), true);
  });
});
