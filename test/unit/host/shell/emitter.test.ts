import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Emitter } from '../../../../src/host/shell/emitter.ts';

describe('An event of ours', () => {
  let emitter: Emitter<number>;
  let told: string[];
  const listener = (name: string) => (value: number) => told.push(`${name} ${value}`);

  beforeEach(() => {
    emitter = new Emitter();
    told = [];
  });

  it('is told to all who listen, in the order in which they came', () => {
    emitter.event(listener('one'));
    emitter.event(listener('two'));
    emitter.fire(1);
    assert.deepEqual(told, ['one 1', 'two 1']);
  });

  it('is no longer told after the subscription was disposed, even by someone who was told just before', () => {
    emitter.event(() => later.dispose());
    const later = emitter.event(listener('later'));
    emitter.fire(1);
    emitter.event(listener('another'));
    emitter.fire(2);
    assert.deepEqual(told, ['another 2']);
  });

  it('is told twice to who listens twice, and once after one of these ended', () => {
    const one = listener('one');
    const first = emitter.event(one);
    emitter.event(one);
    emitter.fire(1);
    first.dispose();
    first.dispose();
    emitter.fire(2);
    assert.deepEqual(told, ['one 1', 'one 1', 'one 2']);
  });

  it('is told to those who join in between only the next time', () => {
    emitter.event((value) => {
      if (value === 1) emitter.event(listener('late'));
    });
    emitter.fire(1);
    assert.deepEqual(told, []);
    emitter.fire(2);
    assert.deepEqual(told, ['late 2']);
  });

  it('is told to nobody after it was disposed', () => {
    emitter.event(listener('one'));
    emitter.dispose();
    emitter.fire(1);
    assert.deepEqual(told, []);
  });

  it('is told to the others when a listener throws, and what was thrown is reported', async () => {
    const reported: unknown[] = [];
    const listeners = process.rawListeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    process.on('uncaughtException', (error) => reported.push(error));
    try {
      const problem = new Error('A listener of no use.');
      emitter.event(() => {
        throw problem;
      });
      emitter.event(listener('other'));
      emitter.fire(1);
      await setImmediate();
      assert.deepEqual([told, reported], [['other 1'], [problem]]);
    } finally {
      process.removeAllListeners('uncaughtException');
      for (const one of listeners) process.on('uncaughtException', one as NodeJS.UncaughtExceptionListener);
    }
  });
});
