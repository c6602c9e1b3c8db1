import assert from 'node:assert/strict';
import { progressBar } from '../../../../src/service/commandLine/backupCommand.ts';

describe('the progress bar', () => {
  it('is drawn on a terminal, not too often, and taken away at the end', () => {
    let now = 0;
    const drawn: string[] = [];
    const bar = progressBar({ isTTY: true, write: (text) => drawn.push(text) }, () => now);
    bar.show(0);
    bar.show(0.1);
    now = 200;
    bar.show(0.5);
    now = 400;
    bar.show(7);
    bar.end();
    assert.equal(drawn.length, 4);
    assert.match(drawn[0] ?? '', /^\r\[ {30}\] {3}0 %$/);
    assert.match(drawn[1] ?? '', /^\r\[#{15} {15}\] {2}50 %$/);
    assert.match(drawn[2] ?? '', /^\r\[#{30}\] 100 %$/);
    assert.match(drawn[3] ?? '', /^\r +\r$/);
  });

  it('draws nothing where nobody looks', () => {
    const bar = progressBar({ write: () => assert.fail('nothing is to be written') });
    bar.show(0.5);
    bar.end();
  });
});
