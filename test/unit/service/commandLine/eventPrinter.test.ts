import assert from 'node:assert/strict';
import { afterFirst } from '../../../../src/service/commandLine/eventPrinter.ts';

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
