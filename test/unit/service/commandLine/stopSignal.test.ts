import assert from 'node:assert/strict';
import { startOrStop } from '../../../../src/service/commandLine/stopSignal.ts';

describe('a start that may be told to stop', () => {
  const never = new Promise<never>(() => undefined);

  it('gives what was started, also when that comes soon after it was told to stop', async () => {
    assert.equal(await startOrStop(Promise.resolve('service'), never), 'service');
    const soon = new Promise<string>((resolve) => setTimeout(resolve, 5, 'service'));
    assert.equal(await startOrStop(soon, Promise.resolve(), 5_000), 'service');
  });

  it('ends when it is told to, though what it waits for never comes', async () => {
    const waiting = startOrStop(never, Promise.resolve(), 5);
    const alive = setTimeout(() => undefined, 5_000);
    await assert.rejects(waiting, /stopped before it started/);
    clearTimeout(alive);
  });
});
