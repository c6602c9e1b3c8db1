import assert from 'node:assert/strict';
import { withStoryReplaced } from '../../../../src/core/marker/withoutMarker.ts';

function assertReplaced(message: string, expected: string, commentChar = '#'): void {
  it(`${JSON.stringify(message)} → ${JSON.stringify(expected)}`, () => {
    assert.equal(withStoryReplaced(message, 99, 12, commentChar).text, expected);
  });
}

describe('naming another story in a commit message', () => {
  assertReplaced('Sort [fixes #99]', 'Sort [fixes #12]');
  assertReplaced('Sort [#99, #7 delivers]\r\n', 'Sort [#12, #7 delivers]\r\n');
  assertReplaced('Sort [#99] [fixes #99]', 'Sort [#12] [fixes #12]');
  assertReplaced('Sort [fixes #99 #12]', 'Sort [fixes #12]');
  assertReplaced('Sort #99 [fixes #7]\n# [fixes #99]', 'Sort #99 [fixes #7]\n# [fixes #99]');
  assertReplaced('# [fixes #99]', '# [fixes #12]', '');

  it('changes nothing when it is the same', () => {
    assert.deepEqual(withStoryReplaced('Sort [fixes #99]', 99, 99, '#').edits, []);
  });
});
