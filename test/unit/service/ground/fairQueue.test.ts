import assert from 'node:assert/strict';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { FairLock, FairQueue, FairTurns } from '../../../../src/service/ground/fairQueue.ts';
import { noteArrival } from '../../../../src/service/ground/slices.ts';

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

/** Long enough that few fit into one turn. */
const HOLD_MS = 3;

function hold(): void {
  const until = performance.now() + HOLD_MS;
  while (performance.now() < until);
}

describe('turns of answers', () => {
  async function answersOf(callers: readonly string[]): Promise<readonly string[]> {
    const turns = new FairTurns();
    const answered: string[] = [];
    const answer = async (caller: string) => {
      if (!turns.begins()) await turns.next(caller);
      hold();
      answered.push(caller);
    };
    await Promise.all(callers.map(answer));
    return answered;
  }

  it('begin at once where nothing else is under way', async () => {
    const turns = new FairTurns();
    for (let count = 0; count < 3; count += 1) {
      assert.equal(turns.begins(), true);
      await wait(1);
    }
  });

  it('are taken by callers in turn', async () => {
    const callers = [...Array<string>(20).fill('many'), 'one', 'other'];
    const answered = await answersOf(callers);
    assert.deepEqual(answered.toSorted(), callers.toSorted());
    assert.ok(answered.indexOf('one') < 6, answered.join());
    assert.ok(answered.indexOf('other') < 6, answered.join());
  });

  it('leave time to others between them', async () => {
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    }, 1);
    await answersOf(Array<string>(20).fill('many'));
    clearInterval(count);
    assert.ok(turns >= 5, String(turns));
  });

  it('begin again at once when all are through', async () => {
    const turns = new FairTurns();
    const begun = Array.from({ length: 5 }, async () => {
      if (!turns.begins()) await turns.next('many');
      hold();
    });
    await Promise.all(begun);
    await wait(5);
    assert.equal(turns.begins(), true);
  });

  it('go on while connections come in without end', async () => {
    let isOver = false;
    const flood = (): void => {
      noteArrival();
      if (!isOver) setImmediate(flood);
    };
    flood();
    const callers = Array<string>(30).fill('many');
    assert.equal((await answersOf(callers)).length, callers.length);
    isOver = true;
  });
});
