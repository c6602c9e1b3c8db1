import assert from 'node:assert/strict';
import { noteLook } from '../../../../src/features/stories/noteLook.ts';

describe('noteLook', () => {
  it('shows the subject of a commit and knows its page', () => {
    assert.deepEqual(
      noteLook('Commit by Ada\nhttps://code.example/c/1a2b3c\n\nBake it longer\n\nToo pale. [fixes #12]'),
      {
        isCommit: true,
        summary: 'Bake it longer',
        link: 'https://code.example/c/1a2b3c',
      },
    );
  });

  it('takes a message that stands alone for what it is', () => {
    assert.deepEqual(noteLook('Bake it longer [#12]'), {
      isCommit: true,
      summary: 'Bake it longer [#12]',
      link: undefined,
    });
  });

  it('shows a comment on one line, and its first link without the full stop behind it', () => {
    assert.deepEqual(noteLook('See\n  (https://docs.example/oven), and #12.\nThen https://b.example'), {
      isCommit: false,
      summary: 'See (https://docs.example/oven), and #12. Then https://b.example',
      link: 'https://docs.example/oven',
    });
  });

  it('finds no link in what starts other programs', () => {
    assert.equal(noteLook('vscode://evil/run file:///etc/passwd javascript:alert(1)').link, undefined);
  });
});
