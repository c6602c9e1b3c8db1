import assert from 'node:assert/strict';
import { FairQueue } from '../../../../src/service/ground/fairQueue.ts';

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
