import assert from 'node:assert/strict';
import { table } from '../../../../src/service/commandLine/command.ts';

describe('rows for people', () => {
  it('hold each on its line, whatever is in them', () => {
    assert.equal(table([[1, 'a\tb\r\nc'], [2]]), '1\ta b c\n2\n');
  });

  it('hold nothing that a terminal obeys or that turns text', () => {
    assert.equal(table([['\u001b[2Jgone\u009b1A\u202eabc']]), '\ufffd[2Jgone\ufffd1A\ufffdabc\n');
  });
});
