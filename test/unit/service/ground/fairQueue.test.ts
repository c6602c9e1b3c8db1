import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { FairLock, FairQueue } from '../../../../src/service/ground/fairQueue.ts';

describe('a fair queue', () => {
  function filled(items: readonly string[]): FairQueue<string> {
    const queue = new FairQueue<string>();
    for (const item of items) queue.add(item.charAt(0), item);
    return queue;
  }

  function taken(queue: FairQueue<string>): string {
    const items: string[] = [];
    while (!queue.isEmpty) items.push(queue.next() ?? 'none');
    return items.join(' ');
  }

  it('serves callers in turn, and each in their order', () => {
    assert.equal(taken(filled(['a1', 'a2', 'a3', 'b1', 'c1', 'c2'])), 'a1 b1 c1 a2 c2 a3');
    const queue = filled(['a1', 'a2', 'a3']);
    assert.equal(queue.next(), 'a1');
    queue.add('b', 'b1');
    assert.equal(taken(queue), 'a2 b1 a3');
  });

  it('serves those of a group in turn, who have one turn together', () => {
    const queue = new FairQueue<string>();
    for (const item of ['x1', 'x2', 'y1', 'z1']) queue.add(`strangers/${item.charAt(0)}`, item);
    for (const item of ['a1', 'a2', 'b1']) queue.add(item.charAt(0), item);
    assert.equal(taken(queue), 'x1 a1 b1 y1 a2 z1 x2');
    queue.add('strangers/x', 'x3');
    queue.remove('strangers/x', 'x3');
    assert.equal(queue.isEmpty, true);
  });

  it('forgets those that wait no longer', () => {
    const queue = filled(['a1', 'a2', 'b1']);
    queue.remove('b', 'b1');
    queue.remove('a', 'a1');
    queue.remove('a', 'a1');
    queue.remove('c', 'c1');
    assert.equal(taken(queue), 'a2');
    assert.equal(queue.next(), undefined);
  });
});

describe('work that takes turns', () => {
  it('is done one piece after the other, and for each caller before anyone has a second one', async () => {
    const turns = new FairLock();
    const begun: string[] = [];
    let atOnce = 0;
    const take = (sender: string): Promise<void> =>
      turns.take(sender, async () => {
        atOnce += 1;
        begun.push(sender);
        assert.equal(atOnce, 1);
        await turn();
        atOnce -= 1;
      });
    await Promise.all(['ben', 'ben', 'ben', 'ben', 'ada', 'cleo', 'ada'].map(take));
    assert.deepEqual(begun, ['ben', 'ben', 'ada', 'cleo', 'ben', 'ada', 'ben']);
  });

  it('goes on after a failure', async () => {
    const turns = new FairLock();
    const failed = turns.take('ben', () => Promise.reject(new Error('broken')));
    const next = turns.take('ben', async () => 'next');
    await assert.rejects(failed, /broken/);
    assert.equal(await next, 'next');
    assert.equal(await turns.take('ada', async () => 'later'), 'later');
  });
});
