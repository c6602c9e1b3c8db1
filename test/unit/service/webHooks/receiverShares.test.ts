import assert from 'node:assert/strict';
import { ReceiverShares } from '../../../../src/service/webHooks/postActivity.ts';

describe('shares of receivers', () => {
  it('are so many for each, whatever others have', async () => {
    const shares = new ReceiverShares(2, 1);
    const taken = await Promise.all(['a', 'a', 'a', 'b', 'b', 'b'].map((receiver) => shares.take(receiver)));
    assert.deepEqual(taken, [true, true, false, true, true, false]);
    shares.give('a');
    assert.deepEqual([await shares.take('a'), await shares.take('a')], [true, false]);
  });

  it('go to those that wait, in order, as soon as they are given back', async () => {
    const shares = new ReceiverShares(1, 60_000);
    assert.equal(await shares.take('a'), true);
    const order: string[] = [];
    const waiting = ['first', 'second'].map((name) => shares.take('a').then(() => order.push(name)));
    shares.give('a');
    await waiting[0];
    assert.deepEqual(order, ['first']);
    shares.give('a');
    await waiting[1];
    assert.deepEqual(order, ['first', 'second']);
    shares.give('a');
    assert.equal(await shares.take('a'), true);
  });

  it('are not given to who has gone', async () => {
    const shares = new ReceiverShares(1, 1);
    assert.deepEqual(await Promise.all([shares.take('a'), shares.take('a')]), [true, false]);
    shares.give('a');
    assert.equal(await shares.take('a'), true);
  });
});
