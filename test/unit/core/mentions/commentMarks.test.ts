import assert from 'node:assert/strict';
import { commentMarks, inComment } from '../../../../src/core/mentions/commentMarks.ts';

describe('A name in a comment', () => {
  it('does not end the comment, whatever is in it', () => {
    for (const [language, end] of [
      ['css', '*/'],
      ['html', '-->'],
    ] as const) {
      const marks = commentMarks(language, []);
      assert.ok(marks);
      for (const name of [end, `a ${end} b`, end[0] + end + end.slice(1), end.repeat(3)]) {
        assert.equal(inComment(name, marks).includes(end), false, name);
      }
    }
  });

  it('is on one line, and else as it was', () => {
    assert.equal(inComment(' a\r\nb\u2028c ', ['// ', '']), 'a b c');
    assert.equal(inComment('a */ b', ['// ', '']), 'a */ b');
  });
});
