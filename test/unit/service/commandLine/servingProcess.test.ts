import assert from 'node:assert/strict';
import { afterFirst, eventPrinter, startOrStop } from '../../../../src/service/commandLine/servingProcess.ts';

describe('what a service tells while it starts', () => {
  it('comes after its address, which programs wait for, in order', () => {
    const printed: string[] = [];
    const print = ({ event }: { readonly event: string }): void => void printed.push(event);
    const log = afterFirst(print);
    log.hear({ event: 'warning' });
    log.hear({ event: 'error' });
    print({ event: 'listening' });
    log.release();
    log.hear({ event: 'request' });
    assert.deepEqual(printed, ['listening', 'warning', 'error', 'request']);
  });
});

describe('the log of a service', () => {
  it('leaves out what is too much for a reader that sleeps, and tells how much that was', () => {
    const stdout = { writableLength: 0, lines: [] as string[], write: (text: string) => stdout.lines.push(text) };
    const print = eventPrinter(true, { stdout, stderr: stdout });
    print({ event: 'one' });
    stdout.writableLength = 5_000_000;
    print({ event: 'two' });
    print({ event: 'three' });
    stdout.writableLength = 0;
    print({ event: 'four' });
    print({ event: 'five' });
    assert.deepEqual(
      stdout.lines.map((line) => JSON.parse(line)).map(({ event, lost }) => [event, lost]),
      [
        ['one', undefined],
        ['unread', 2],
        ['four', undefined],
        ['five', undefined],
      ],
    );
  });
});

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
