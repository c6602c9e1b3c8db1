import assert from 'node:assert/strict';
import { afterFirst, eventPrinter } from '../../../../src/service/commandLine/eventPrinter.ts';

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
