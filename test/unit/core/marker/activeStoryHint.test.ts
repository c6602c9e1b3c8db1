import assert from 'node:assert/strict';
import { activeStoryHint } from '../../../../src/core/marker/commitHints.ts';
import { edited } from '../../../../src/core/marker/textEdit.ts';

/** `expected`: the text that the hint on story 12 is about, and the message after its fix; nothing where there is none. */
function assertHint(message: string, expected?: readonly [about: string, mended: string], commentChar = ''): void {
  it(`${JSON.stringify(message)}${commentChar ? ' in a commit file' : ''}`, () => {
    const hint = activeStoryHint(message, 12, { commentChar, verb: 'fixes' });
    assert.deepEqual(hint?.storyIds, expected && [12]);
    const told = hint?.fixes.map(({ edits }) => [
      message.slice(hint.range.start, hint.range.end),
      edited(message, edits).text,
    ]);
    assert.deepEqual(told, expected && [expected]);
  });
}

describe('the hint that the active story is not named', () => {
  describe('is at the end of the subject, with its marker', () => {
    assertHint('Sort', ['Sort', 'Sort [fixes #12]']);
    assertHint('Sort the tide ', ['tide', 'Sort the tide [fixes #12] ']);
    assertHint('\nSort the tide\r\n\r\nWhy.\r\n', ['tide', '\nSort the tide [fixes #12]\r\n\r\nWhy.\r\n']);
    assertHint('Sort the tide\n\nSigned-off-by: Ada <a@b.c>', [
      'tide',
      'Sort the tide [fixes #12]\n\nSigned-off-by: Ada <a@b.c>',
    ]);
    assertHint('Merge the two lists', ['lists', 'Merge the two lists [fixes #12]']);
    assertHint('Sort, seen in #13', ['#13', 'Sort, seen in #13 [fixes #12]']);
    assertHint('Sort 🙂\n# [fixes #12]\n', ['🙂', 'Sort 🙂 [fixes #12]\n# [fixes #12]\n'], '#');
  });

  describe('is not there', () => {
    describe('while nothing is written', () => {
      for (const message of ['', ' ', '\n\n', 'Signed-off-by: Ada <a@b.c>']) assertHint(message);
      assertHint('\n# Please enter the commit message\n# On branch main\n', undefined, '#');
    });

    describe('where a story is named, also in words that do not count', () => {
      for (const message of [
        'Sort [fixes #12]',
        'Sort [#13]',
        'Sort\n\n[delivers #13 #12]',
        'Sort #12',
        'Sort, fixes #12',
        'Sort [closes #13]',
      ]) {
        assertHint(message);
      }
      assertHint('Sort\n#12', undefined, '#');
    });

    describe('on messages that Git writes itself, or that it squashes', () => {
      for (const message of [
        "Merge branch 'tide' into main",
        "Merge remote-tracking branch 'origin/main'",
        'Merge pull request #7 from ada/tide\n\nSort',
        'fixup! Sort',
        'squash! Sort\n\nMore.',
        'amend! Sort',
        'Squashed commit of the following:\n\ncommit 1234',
      ]) {
        assertHint(message);
      }
      assertHint('# This is a combination of 2 commits.\nSort\n', undefined, '#');
    });
  });
});
