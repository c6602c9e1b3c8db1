import assert from 'node:assert/strict';
import { postedMessage } from '../../../../src/features/commits/postedMessage.ts';

function assertPosted(message: string, unwanted: readonly number[], expected: string): void {
  assert.equal(postedMessage(message, unwanted), expected);
}

describe('The message of a new commit as it is posted', () => {
  it('is the message, without stories whose projects do not want it', () => {
    assertPosted('Tell the tide [fixes #1 #2]', [], 'Tell the tide [fixes #1 #2]');
    assertPosted('Tell the tide [fixes #1 #2]', [2], 'Tell the tide [fixes #1]');
  });

  it('finishes nothing when it takes a commit back, and does when it takes that back in turn', () => {
    assertPosted('Revert "Tell [fixes #1]"\n\nIt lied.', [], 'Revert "Tell [#1]"\n\nIt lied.');
    assertPosted('Revert "Tell [fixes #1] [delivers #2]"', [], 'Revert "Tell [#1 #2]"');
    assertPosted('Revert "Tell [fixes #1 #2]"', [1], 'Revert "Tell [#2]"');
    assertPosted('Revert "Revert "Tell [fixes #1]""', [], 'Revert "Revert "Tell [fixes #1]""');
    assertPosted('Revert "Tell [fixes #1]"\n\nIt lied. [fixes #9]', [], 'Revert "Tell [#1]"\n\nIt lied. [fixes #9]');
    assertPosted('Revert "Tell"\n\nIt lied. [fixes #9]', [], 'Revert "Tell"\n\nIt lied. [fixes #9]');
    assertPosted('Reapply "Tell [fixes #1]"', [], 'Reapply "Tell [fixes #1]"');
    assertPosted('Revert to the old way [fixes #1]', [], 'Revert to the old way [fixes #1]');
  });
});
