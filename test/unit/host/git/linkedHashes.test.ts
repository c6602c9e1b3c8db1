import assert from 'node:assert/strict';
import { linkedHashes } from '../../../../src/host/git/linkedHashes.ts';
import { aStory } from '../../../support/builders/builders.ts';

describe('commits that comments speak of', () => {
  it('are told by their whole hashes', () => {
    const sha1 = '0123456789abcdef0123456789abcdef01234567';
    const notes = [
      { id: 1, text: `Commit by Ada\nhttps://example.org/commit/${sha1}\n\nSort [fixes #1]` },
      { id: 2, text: 'No commit, but deadbeef' },
    ];
    assert.deepEqual([...linkedHashes([aStory({ id: 1, notes })])], [sha1]);
  });
});
