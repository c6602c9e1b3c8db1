import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { FirstPaint } from '../../../../../src/features/stories/tree/firstPaint.ts';

describe('The first paint of the stories', () => {
  let now: number;
  let paint: FirstPaint;
  let isWaiting: boolean;
  let waited: Promise<void>;

  beforeEach(() => {
    now = 0;
    paint = new FirstPaint({ quietMs: 10, mostMs: 1000, now: () => now });
    isWaiting = true;
    waited = paint.done().then(() => {
      isWaiting = false;
    });
  });
  afterEach(async () => {
    now += 5000;
    await waited;
  });

  const pass = async (ms: number) => {
    now += ms;
    await sleep(10);
  };

  it('is done once the projects, and the rows below them, were handed out and nothing more is asked for', async () => {
    await pass(100);
    assert.ok(isWaiting, 'nothing was asked for yet');
    const roots = paint.noticeRequest(true);
    await pass(100);
    assert.ok(isWaiting, 'the projects are still read');
    roots();
    await pass(5);
    const below = [paint.noticeRequest(false), paint.noticeRequest(false)];
    below[0]?.();
    await pass(100);
    assert.ok(isWaiting, 'the rows of the second project are still read');
    below[1]?.();
    await pass(9);
    paint.noticeItem();
    await pass(9);
    assert.ok(isWaiting, 'an item was made just now');
    await pass(9);
    await waited;
    assert.ok(paint.isDone);
    paint.noticeRequest(true);
    assert.ok(paint.isDone, 'it is the first one only');
  });

  it('is waited for no longer than a person would', async () => {
    paint.noticeRequest(true);
    await pass(999);
    assert.ok(isWaiting);
    await pass(2);
    await waited;
  });

  it('is waited for longer where it goes on', async () => {
    const roots = paint.noticeRequest(true);
    await pass(900);
    roots();
    const below = paint.noticeRequest(false);
    await pass(900);
    assert.ok(isWaiting, 'the rows below were asked for in the meantime');
    below();
    await pass(10);
    await waited;
    assert.ok(paint.isDone);
  });

  it('is not of rows that were asked for without the projects, as for one that is revealed', async () => {
    paint.noticeRequest(false)();
    await pass(100);
    assert.ok(isWaiting);
  });
});
