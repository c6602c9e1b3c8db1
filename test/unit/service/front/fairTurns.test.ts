import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { FairTurns } from '../../../../src/service/front/fairTurns.ts';
import { noteArrival } from '../../../../src/service/ground/slices.ts';

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
