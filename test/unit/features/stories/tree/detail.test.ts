import assert from 'node:assert/strict';
import { noteLook } from '../../../../../src/features/stories/tree/detail.ts';
import { aNote } from '../../../../support/builders/builders.ts';

const lookOf = (text: string) => noteLook(aNote({ text }));

describe('noteLook', () => {
  it('shows the subject of a commit and knows its page', () => {
    const { commit, summary, link } = lookOf(
      'Commit by Ada\nhttps://code.example/c/1a2b3c\n\nBake it longer\n\nToo pale. [fixes #12]',
    );
    assert.deepEqual(
      [commit?.state, commit?.hash, summary, link],
      ['linked', '1a2b3c', 'Bake it longer', 'https://code.example/c/1a2b3c'],
    );
  });

  it('takes a message that stands alone for what it is', () => {
    const { commit, summary, link } = lookOf('Bake it longer [#12]');
    assert.deepEqual(
      [commit?.state, commit?.hash, summary, link],
      ['linked', undefined, 'Bake it longer [#12]', undefined],
    );
  });

  it('shows a comment on one line, and its first link without the full stop behind it', () => {
    assert.deepEqual(lookOf('See\n  (https://docs.example/oven), and #12.\nThen https://b.example'), {
      commit: undefined,
      summary: 'See (https://docs.example/oven), and #12. Then https://b.example',
      link: 'https://docs.example/oven',
    });
  });

  it('finds no link in what starts other programs', () => {
    assert.equal(lookOf('vscode://evil/run file:///etc/passwd javascript:alert(1)').link, undefined);
  });
});
