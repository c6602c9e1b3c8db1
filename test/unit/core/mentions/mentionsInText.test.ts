import assert from 'node:assert/strict';
import { commentMarks } from '../../../../src/core/mentions/commentMarks.ts';
import {
  mentionsInComments,
  mentionsInMarkdown,
  mentionsInMessage,
} from '../../../../src/core/mentions/mentionsInText.ts';
import type { StoryMention } from '../../../../src/core/mentions/storyMentions.ts';
import { growth } from '../../../support/measures/growth.ts';

const LINEAR = 2.5;
const WORDS = ['TODO', 'FIXME', 'HACK'];

describe('Numbers of stories in code', () => {
  assertInCode('typescript', '// see #12', 12);
  assertInCode('typescript', 'const a = 1; // see #12', 12);
  assertInCode('typescript', 'const a = #12; // see #13', 13);
  assertInCode('typescript', 'const a = "// #12";');
  assertInCode('typescript', "const a = '#12';");
  assertInCode('typescript', 'const a = "http://a"; // of http://b#12 and #13', 13);
  assertInCode('typescript', 'class A { #12 = 1; }');
  assertInCode('typescript', '/* #12 */ f(); ', 12);
  assertInCode('typescript', 'f(/* #12 */);', 12);
  assertInCode('typescript', '/**\n * Sorts (#12).\n */', 12);
  assertInCode('typescript', 'a\n  * b #12', 12);
  assertInCode('typescript', 'a *b #12');
  assertInCode('typescript', '// TODO(#12): sort\r\n// [fixes #13]\r\n', 12, 13);
  assertInCode('python', '# see #12', 12);
  assertInCode('python', 'a = 1  # see #12', 12);
  assertInCode('python', 'a = 1  ## see #12', 12);
  assertInCode('python', "a = '# see #12'");
  assertInCode('python', '#12');
  assertInCode('python', 'def f():\n    """\n    TODO(#12): sort\n    """', 12);
  assertInCode('shellscript', 'echo "$#12" # see #13', 13);
  assertInCode('sql', "SELECT '#12' -- see #13", 13);
  assertInCode('css', 'a { color: #123; } /* see #12 and not #123456 */', 12);
  assertInCode('css', 'a { color: #12; }');
  assertInCode('html', '<a href="#12">#13</a> <!-- see #14 -->', 14);
  assertInCode('lua', '-- see #12', 12);
  assertInCode('lua', 'local n = #12');
  assertInCode('bat', 'REM see #12', 12);
  assertInCode('vb', "x = 1 ' see #12", 12);
  assertInCode('json', '{ "a": "#12", "b": "// #13" }');
  assertInCode('plaintext', 'see #12\nTODO(#13): sort', 13);
  assertInCode('newlang', '# one\n# see #12', 12);
  assertInCode('newlang', 'see #12');
});

describe('Numbers of stories in Markdown', () => {
  assertInMarkdown('# Tide\n\nSee #12 and [fixes #13].', 12, 13);
  assertInMarkdown('See #12\n```sh\n# see #13\n```\nand #14', 12, 14);
  assertInMarkdown('~~~\n#13\n```\n#14\n~~~\n#15', 15);
  assertInMarkdown('````\n```\n#13\n````\n#14', 14);
  assertInMarkdown('> ```\n> #13\n> ```\n#14', 14);
  assertInMarkdown('```\n#12');
  assertInMarkdown('- ```sh\n  #13\n  ```\n\n1. ~~~\n   #14\n   ~~~\n#15', 15);
  assertInMarkdown('> * ```\n>   #13\n>   ```\n#14', 14);
  assertInMarkdown('``` #13 ``` and #14\n#15', 14, 15);
  assertInMarkdown('```\n- ```\n#13\n```\n#14', 14);
  assertInMarkdown('one\r\ntwo #12\r\n', 12);
});

describe('Numbers of stories in a commit message', () => {
  it('are found in all of it', () => {
    assert.deepEqual(ids(mentionsInMessage('Sort [fixes #12]\n\nAs #13 said.\n')), [12, 13]);
  });

  it('are those of others everywhere when they are somewhere, but in markers', () => {
    assert.deepEqual(ids(mentionsInMessage('Merge pull request #12 from a/b\n\nGoes on with #12 and [#12].')), [12]);
  });

  it('are like a pull request everywhere when they end the subject so', () => {
    const mentions = mentionsInMessage('Sort (#12)\n\n* sort #12 [fixes #13] #14');
    assert.deepEqual(
      mentions.map(({ id, isLikePullRequest }) => [id, isLikePullRequest]),
      [
        [12, true],
        [12, true],
        [13, false],
        [14, false],
      ],
    );
  });
});

describe('Looking for numbers of stories in a long text', () => {
  const style = { marks: commentMarks('typescript', []), words: WORDS };
  for (const line of ['// #1 #2\n', '# "// // //" #1\n', '#1', '// #1 ', '"// #1', '```\n#1\n', '[#1](', '\n']) {
    it(`takes time that grows with the length of ${JSON.stringify(line)} only`, () => {
      const made = (length: number) => line.repeat(Math.ceil(length / line.length));
      const work = (text: string) => {
        mentionsInComments(text, style);
        mentionsInMarkdown(text);
        mentionsInMessage(text);
      };
      const times = growth(200_000, made, work);
      assert.ok(times <= LINEAR, `Twice the length takes ${times} times as long.`);
    });
  }
});

function ids(mentions: readonly StoryMention[]): readonly number[] {
  return mentions.map(({ id }) => id);
}

/** Also that every number stands where it is told to stand. */
function assertMentions(text: string, mentions: readonly StoryMention[], expected: readonly number[]): void {
  assert.deepEqual(ids(mentions), expected);
  for (const { id, range } of mentions) assert.equal(text.slice(range.start, range.end), `#${id}`);
}

function assertInCode(language: string, text: string, ...expected: readonly number[]): void {
  it(`${language}: ${JSON.stringify(text)}`, () => {
    const marks = commentMarks(language, text.split('\n'));
    assertMentions(text, mentionsInComments(text, { marks, words: WORDS }), expected);
  });
}

function assertInMarkdown(text: string, ...expected: readonly number[]): void {
  it(JSON.stringify(text), () => assertMentions(text, mentionsInMarkdown(text), expected));
}
