import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Gathered } from '../../../../src/features/activity/gathered.ts';

describe('Gathered', () => {
  it('shows what comes while something is shown in one go, after it', async () => {
    const { gathered, shown, next } = heldShows();
    const first = gathered.add(Promise.resolve([1]));
    await turn();
    await Promise.all([gathered.add(Promise.resolve([2])), gathered.add(Promise.resolve([3, 4]))]);
    await next();
    await next();
    await first;
    assert.deepEqual(shown, [[1], [2, 3, 4]]);
  });

  it('shows nothing twice that was shown while more was asked for', async () => {
    const { gathered, shown, next } = heldShows();
    const first = gathered.add(Promise.resolve([1]));
    await turn();
    await gathered.add(Promise.resolve([2]));
    const late = Promise.withResolvers<readonly number[]>();
    const last = gathered.add(late.promise);
    await next();
    late.resolve([3]);
    await last;
    await next();
    await next();
    await first;
    assert.deepEqual(shown, [[1], [2], [3]]);
  });

  it('loses nothing of several that ask at once', async () => {
    const { gathered, shown, next } = heldShows();
    const first = gathered.add(Promise.resolve([1]));
    await turn();
    const [one, other] = [Promise.withResolvers<readonly number[]>(), Promise.withResolvers<readonly number[]>()];
    const both = Promise.all([gathered.add(one.promise), gathered.add(other.promise)]);
    one.resolve([2]);
    other.resolve([3]);
    await both;
    await next();
    await next();
    await first;
    assert.deepEqual(shown, [[1], [2, 3]]);
  });

  it('goes on after one that could not be shown', async () => {
    const shown: number[] = [];
    const gathered = new Gathered<number>(async ([one = 0]) => {
      if (one === 1) throw new Error('no');
      shown.push(one);
    });
    await assert.rejects(gathered.add(Promise.resolve([1])));
    await gathered.add(Promise.resolve([2]));
    assert.deepEqual(shown, [2]);
  });
});

/** What is shown stays until `next`. */
function heldShows() {
  const shown: (readonly number[])[] = [];
  let end = Promise.withResolvers<void>();
  const gathered = new Gathered<number>((all) => {
    shown.push(all);
    end = Promise.withResolvers<void>();
    return end.promise;
  });
  const next = async () => {
    end.resolve();
    await turn();
  };
  return { gathered, shown, next };
}
